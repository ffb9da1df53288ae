// $firstline
// $definition
// Compile with: cc -std=c99 -O2 FILE.c -lm
// With -DNO_MAIN there is no main.

#include <math.h>
#include <stdio.h>

$library

enum { LEAVES = $count };
static const char *const NAMES[LEAVES] = {$names};
static const double START[LEAVES] = {$start};

// The value at these leaves, in the order of NAMES; the gradient is written into grad.
double $name(const double leaves[LEAVES], double grad[LEAVES])
{
$code
    return $value;
}
$function
#ifndef NO_MAIN
int main(void)
{
    double grad[LEAVES];
    printf("%s %.17g\n", $label, $name(START, grad));
    for (int i = 0; i < LEAVES; i++)
        printf("%s %.17g\n", NAMES[i], grad[i]);
    return 0;
}
#endif
