//! Runs a recipe with Adept, a library for C++ whose header `adept_source.h` contains all of it. Each pass begins a new
//! recording, since Adept stores slopes, which are those of one point.

#include <adept_source.h>

#include "recipe.hpp"

struct Adept {
    using Real = adept::adouble;
    adept::Stack stack;

    void clear() {}
    void make_leaf(Real& leaf, double value) { leaf.set_value(value); }
    void begin_recording() { stack.new_recording(); }

    void backward(Real& root) {
        root.set_gradient(1.0);
        stack.reverse();
    }

    double gradient(const Real& leaf) { return leaf.get_gradient(); }
    double value(const Real& root) { return root.value(); }
};

int main() { return run<Adept>(); }
