#!/usr/bin/env python3
"""Measures the formulas of chainrule on functions from public sources.

    foreign_suites.py chainrule --openstax REPO --apex REPO --nerdamer REPO
                      --mathjs REPO --maxima REPO --sympy DIR [--sample N]

REPO is a git repository, DIR is sympy's folder `integrals/tests`. Every function of letters is
read into a tree, written with explicit signs, and given to the calculator. Its f, f' and f'' are
read back and compared, at up to 8 real points, with numerical derivatives of the source. Then the
tokens of f' (names, numbers and signs; no brackets) are compared with the shortest of six shapes
of sympy. With `--sample N`, sympy looks at N functions of each source, evenly spaced.

A tree is a name or a number (a string), or a tuple: an operation and its operands.
"""
import argparse, ast, io, json, pathlib, random, re, signal, subprocess, tarfile
import xml.etree.ElementTree as xml
from collections import Counter, namedtuple
from functools import partial
from itertools import cycle
import mpmath, sympy
from mpmath import mp, mpf

Task = namedtuple("Task", "source variable tree text")
Answer = namedtuple("Answer", "f first second refusal")

class NotAFunction(Exception):
    """The text is no function of letters that can be read without guessing."""

class NoValue(Exception):
    """The tree has no real value at a point."""

# --- Trees -------------------------------------------------------------------------------------

CALLS = set("sin cos tan sec csc cot asin acos atan asec acsc acot sinh cosh tanh sech csch coth asinh acosh atanh "
            "asech acsch acoth exp ln log log2 log10 sqrt cbrt abs erf erfc gamma sinc sign".split())
COMMANDS = set("diff integrate defint limit factor ratsimp radcan expand trigsimp trigreduce trigexpand taylor "
               "fullratsimp rootscontract logcontract partfrac ev".split())
OTHER_NAMES = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "Abs": "abs", "signum": "sign",
               "pow": "^", "Rational": "/", "Integer": ""}
KNOWN = CALLS | COMMANDS | set(OTHER_NAMES) | {"digamma", "trigamma", "polygamma"}
GREEK = {"α": "alpha", "β": "beta", "γ": "gam", "δ": "delta", "θ": "theta", "λ": "lam", "μ": "mu", "ρ": "rho",
         "σ": "sigma", "τ": "tau", "φ": "phi", "ϕ": "phi", "ω": "omega", "π": "pi", "ψ": "psi"}

def call(name, operands):
    """The tree of a call, with the calculator's name of the function."""
    name = "ln" if name == "log" and len(operands) == 1 else OTHER_NAMES.get(name, name)
    return (name, *operands) if name else operands[0]

def parts(tree):
    """The tree and everything in it."""
    return [tree] if isinstance(tree, str) else [tree, *(part for it in tree[1:] for part in parts(it))]

def letters(tree):
    return sorted({it for it in parts(tree) if isinstance(it, str) and it[0].isalpha()} - {"e", "pi"})

LEVELS = {"+": 1, "-": 1, "neg": 1, "*": 2, "/": 2, "^": 3}

def write(tree):
    """The tree in the calculator's language, with every sign."""
    def operand(part, level):
        is_loose = LEVELS.get(part[0], 9) < level and not isinstance(part, str)
        return f"({write(part)})" if is_loose else write(part)
    if isinstance(tree, str):
        return tree
    name, *operands = tree
    if name == "neg":
        return "-" + operand(operands[0], 2)
    if name in LEVELS:
        level = LEVELS[name]
        return operand(operands[0], level + (name == "^")) + name + operand(operands[1], level + 1)
    return f"{name}({', '.join(map(write, operands))})"

# --- One parser of signs, names and brackets, for all sources and for the answers -----------------

class Parser:
    def __init__(self, tokens, is_book=False):
        self.tokens, self.at, self.is_book = tokens, 0, is_book

    def tree(self):
        tree = self.sum()
        if self.peek():
            raise NotAFunction(self.peek())
        return tree

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def accept(self, *tokens):
        if self.peek() in tokens:
            self.at += 1
            return self.tokens[self.at - 1]

    def sum(self):
        tree = self.product()
        while sign := self.accept("+", "-"):
            tree = (sign, tree, self.product())
        return tree

    def product(self):
        tree, is_quotient = self.signed(), False
        while True:
            if sign := self.accept("*", "/"):
                tree, is_quotient = (sign, tree, self.signed()), sign == "/"
            elif self.peek() == "(" or self.peek()[:1].isalnum():
                if is_quotient:
                    raise NotAFunction("1/2x has two meanings")
                tree = ("*", tree, self.power())
            else:
                return tree

    def signed(self):
        if self.accept("-"):
            return ("neg", self.signed())
        self.accept("+")
        return self.power()

    def power(self):
        base = self.atom()
        return ("^", base, self.signed()) if self.accept("^", "**") else base

    def bracket(self):
        """What is between `(`, already read, and `)`."""
        operands = [self.sum()]
        while self.accept(","):
            operands.append(self.sum())
        if not self.accept(")"):
            raise NotAFunction(self.peek())
        return operands

    def atom(self):
        if self.accept("("):
            [inner] = self.bracket()
            return inner
        token = self.peek()
        self.at += 1
        if token in KNOWN:
            return self.call(token)
        is_letter = re.fullmatch("[A-Za-z]", token) or token in GREEK.values()
        if self.peek() == "(" and is_letter and (not self.is_book or token in "fghFGH" or self.peek(2) == ")"):
            raise NotAFunction(f"{token} is a function")
        if not is_letter and not token[:1].isdigit() and token[:1] != ".":
            raise NotAFunction(token)
        return token

    def call(self, name):
        if self.accept("_"):
            base = self.atom()
            return ("log", *self.operands(), base)
        exponent = self.signed() if self.accept("^") else None
        if exponent == ("neg", "1"):
            return ("a" + name, *self.operands())
        tree = call(name, self.operands())
        return ("^", tree, exponent) if exponent else tree

    def operands(self):
        """The operands in brackets, or, as in books, the letters and numbers up to the next sign."""
        if self.accept("("):
            return self.bracket()
        if self.peek() in KNOWN:
            return [self.atom()]
        tree = self.power()
        while self.peek()[:1].isalnum() and self.peek() not in KNOWN:
            tree = ("*", tree, self.power())
        return [tree]

def words(text):
    return re.findall(r"\s*(%?[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\*\*|\S)", text)

def parse(text):
    return Parser(words(text)).tree()

# --- The books -----------------------------------------------------------------------------------

def files(repository, folder, pattern):
    """The texts of the files of a folder in the newest commit of a git repository."""
    archive = subprocess.run(["git", "-C", repository, "archive", "HEAD", folder], stdout=subprocess.PIPE, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        return [tar.extractfile(it).read().decode("utf-8", "replace") for it in tar.getmembers()
                if it.isfile() and re.search(pattern, it.name)]

def functions_of_book(formula):
    """Pairs of variable and tree: what `f(x, y) = …`, `y = …` or `∫ … dx` says in TeX."""
    tokens = tex(formula)
    def body(start, stops):
        depth = 0
        for end in range(start, len(tokens)):
            depth += (tokens[end] == "(") - (tokens[end] == ")")
            if depth == 0 and tokens[end] in stops:
                return tokens[start:end]
        return tokens[start:]
    if tokens[:1] == ["∫"]:
        inside = body(1, {"d"})
        variables = tokens[len(inside) + 2:][:1]
    elif tokens[:2] in (["y", "="], ["z", "="]):
        inside = body(2, {"=", ",", ";", "."})
        variables = letters(Parser(inside, is_book=True).tree())
    elif tokens[1:2] == ["("] and ")" in tokens[:-2] and tokens[tokens.index(")") + 1] == "=":
        close = tokens.index(")")
        inside, variables = body(close + 2, {"=", ",", ";", "."}), tokens[2:close:2]
    else:
        return []
    return [(it, Parser(inside, is_book=True).tree()) for it in variables]

SIGNS = {"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "∗": "*", "[": "(", "]": ")", "∣": "|", **GREEK}

def bracketed(tokens):
    return ["(", *tokens, ")"]

def fraction(above, below):
    return bracketed([*bracketed(above), "/", *bracketed(below)])

def root(body, degree):
    name = {"2": "sqrt", "3": "cbrt"}.get("".join(degree))
    return [name, *bracketed(body)] if name else bracketed([*bracketed(body), "^", *fraction(["1"], degree)])

def mathml_as_tex(element):
    tag, inner = element.tag.split("}")[-1], [mathml_as_tex(it) for it in element]
    match tag:
        case "mi" | "mo" | "mn" | "mtext":
            text = "".join(element.itertext()).strip()
            is_word = tag == "mtext" and len(text) > 1 and not re.fullmatch("d[a-z]", text)
            return f"\\{text} " if text in KNOWN else "?" if is_word else text
        case "math" | "mrow" | "mstyle" | "semantics" | "mspace" | "mpadded":
            return "".join(inner)
        case "msubsup" if "∫" in inner[0]:
            return "∫"
        case "mfenced":
            return f"({','.join(inner)})"
    shape = {"mfrac": "\\frac{%s}{%s}", "msup": "%s^{%s}", "msub": "%s_{%s}", "mroot": "\\radical{%s}{%s}",
             "msqrt": "\\sqrt{%s}"}.get(tag, "?")
    return shape % (("".join(inner),) if tag == "msqrt" else tuple(inner)) if shape != "?" else shape

def openstax(volume, repository):
    [collection] = files(repository, "collections", rf"volume-{volume}")
    for text in files(repository, "modules", "|".join(re.findall(r'document="(m\d+)"', collection))):
        for element in xml.fromstring(text).iter("{http://www.w3.org/1998/Math/MathML}math"):
            yield partial(functions_of_book, mathml_as_tex(element))

TEX_SPACES = {"\\ ", "\u2061", *r"\left \right \big \Big \bigl \bigr \ds \displaystyle \quad \, \; \! \: ~".split()}

def tex(text):
    """The tokens of a formula in TeX."""
    rest = re.findall(r"\\[A-Za-z]+|\\.|\d+\.\d+|\.?\d+|[A-Za-z]|\S", text, re.S)[::-1]
    def sequence(stop):
        tokens = []
        while rest and rest[-1] != stop:
            tokens += piece()
        return tokens if not rest or rest.pop() else []
    def argument():
        """What belongs to `^` or to a command: a group in braces or one character."""
        if rest and rest[-1].isdigit():
            rest.extend(rest.pop()[::-1])
        return piece()
    def piece():
        token = rest.pop() if rest else "?"
        match token:
            case "{":
                return sequence("}")
            case "^" | "_":
                return [token, *bracketed(argument())]
            case "\\frac" | "\\dfrac" | "\\tfrac":
                return fraction(argument(), argument())
            case "\\sqrt":
                degree = sequence("]")[1:] if rest and rest[-1] == "[" else ["2"]
                return root(argument(), degree)
            case "\\radical":
                return root(argument(), argument())
            case "\\int" | "∫":
                while rest and rest[-1] in "^_":
                    piece()
                return ["∫"]
            case "\\cdot" | "\\times":
                return ["*"]
        name = token.removeprefix("\\")
        name = {"lambda": "lam", "gamma": "gam"}.get(name, SIGNS.get(name, name))
        return [] if token in TEX_SPACES else [name]
    bars = cycle([["abs", "("], [")"]])
    return [token for it in sequence(None) for token in (next(bars) if it == "|" else [it])]

def apex(repository):
    for text in files(repository, "exercises", r"\.tex$"):
        question = re.split(r"\}\s*\n\s*\{", text.strip()[1:])[0]
        yield from (partial(functions_of_book, it) for it in question.split("$")[1::2])

# --- The tests of other programs -----------------------------------------------------------------

def function_in(tokens, variable=None):
    """The function inside commands such as `diff(E, x)`, with its variable."""
    tree = Parser(tokens).tree()
    while tree[0] in COMMANDS:
        if tree[0] in ("diff", "integrate", "defint", "limit") and len(tree) > 2:
            variable = variable or tree[2]
        tree = tree[1]
    own = letters(tree)
    return [(it, tree) for it in [variable, "x", *own] if it in own][:1]

def nerdamer(repository):
    [text] = files(repository, "spec", r"calculus\.spec\.js$")
    line = r"nerdamer\('((?:diff|integrate)\([^']*,\s*(\w)\))'.*toEqual\('([^']*)'"
    for asked, variable, answer in re.findall(line, text):
        yield partial(function_in, words(asked))
        yield partial(function_in, words(answer), variable)

def mathjs(repository):
    [text] = files(repository, "test/unit-tests/function/algebra", r"derivative\.test\.js$")
    for expression, variable in re.findall(r"derivative\w*\('([^']*)',\s*'(\w)'", text):
        yield partial(function_in, words(expression.split("=")[-1]), variable)

def maxima(repository):
    names = {"%e": "e", "%pi": "pi", "e": "?"}
    for text in files(repository, "tests", r"rtest\w*\.mac$"):
        for statement in re.split(r"[;$]", re.sub(r"/\*.*?\*/", " ", text, flags=re.S)):
            if len(statement) < 1000:
                yield partial(function_in, [names.get(it, it) for it in words(statement)])

def sympy_tests(folder):
    asking = {"integrate", "Integral", "manualintegrate", "heurisch", "assert_is_integral_of"}
    for name in ("test_manual.py", "test_integrals.py", "test_heurisch.py"):
        for test in ast.parse((pathlib.Path(folder) / name).read_text()).body:
            nodes = list(ast.walk(test))
            assigned = [it for it in nodes if isinstance(it, ast.Assign) and "ymbol" not in ast.unparse(it.value)]
            bound = {it.id for line in assigned for it in ast.walk(line.targets[0]) if isinstance(it, ast.Name)}
            names = {"E": "e", "S": "Integer", **{it: "?" for it in bound | {"e", "I", "f", "F"}}}
            for node in nodes:
                asked, *answers = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
                if not isinstance(asked, ast.Call) or getattr(asked.func, "id", "") not in asking:
                    continue
                is_pair = asked.func.id == "assert_is_integral_of"
                variable = "x" if is_pair or len(asked.args) < 2 else ast.unparse(asked.args[1])
                for part in [*asked.args[:1 + is_pair], *answers]:
                    tokens = [names.get(it, it) for it in words(ast.unparse(part))]
                    yield partial(function_in, tokens, variable.strip("(").split(",")[0])

def tasks_of(source, readers):
    """The functions that could be read, each once."""
    tasks = {}
    for read in readers:
        try:
            for variable, tree in read():
                is_rounded = any("." in it and len(it) > 16 for it in parts(tree))  # more digits than a float
                is_foreign = any(it[0] in COMMANDS for it in parts(tree)) or is_rounded
                if variable in letters(tree) and not is_foreign:
                    tasks.setdefault((variable, write(tree)), Task(source, variable, tree, write(tree)))
        except (NotAFunction, ValueError, TypeError, IndexError):
            pass
    return list(tasks.values())

# --- The calculator ------------------------------------------------------------------------------

def ask(binary, tasks, batch=300):
    """The answers of the calculator, in the order of the tasks."""
    for start in range(0, len(tasks), batch):
        part = tasks[start:start + batch]
        script = "".join(f"F{i}({it.variable}) = {it.text}\n:formula F{i}\nF{i}''\n" for i, it in enumerate(part))
        run = subprocess.run(["nice", binary, "--json", "--keep-going", "--no-init"], input=script,
                             stdout=subprocess.PIPE, text=True, timeout=3600)
        said = {it["line"]: it for it in map(json.loads, run.stdout.splitlines())}
        for i in range(len(part)):
            lines = [said.get(3 * i + k, {"kind": "error", "message": "no answer"}) for k in (1, 2, 3)]
            refusals = [it["message"] for it in lines if it["kind"] == "error"]
            yield (Answer(None, None, None, refusals[0]) if refusals else
                   Answer(lines[1]["formula"], lines[1]["derivatives"][0]["formula"], lines[2]["body"], None))

# --- Values --------------------------------------------------------------------------------------

VALUES = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y,
          "^": lambda x, y: mpf(1) if y == 0 else x ** y, "neg": lambda x: -x, "abs": abs,
          "ln": mpmath.log, "log2": lambda x: mpmath.log(x, 2), "cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
          "trigamma": lambda x: mpmath.psi(1, x), "polygamma": lambda n, x: mpmath.psi(int(n), x)}

def value(tree, point, largest=mpf(10) ** 10000):
    """The real value of a tree; every part of it must be real, and not enormous."""
    if isinstance(tree, str):
        return point[tree] if tree in point else +mp.pi if tree == "pi" else +mp.e if tree == "e" else mpf(tree)
    try:
        operation = VALUES.get(tree[0]) or getattr(mpmath, tree[0])
        result = operation(*[value(it, point, largest) for it in tree[1:]])
    except (ZeroDivisionError, ValueError, OverflowError):
        raise NoValue
    if not isinstance(result, mpf) or not mpmath.isfinite(result) or abs(result) > largest:
        raise NoValue
    return result

def difference(task, printed, k, point, digits):
    """The k-th derivative of the source, by numerical differentiation, and the printed one, if they differ."""
    with mp.workdps(digits):
        def source(x):
            return value(task.tree, {**point, task.variable: x}, mpf(10) ** 12)
        true = mpmath.diff(source, point[task.variable], k)
        try:
            here = value(printed, point)
        except NoValue:
            return mp.nan, true
        is_close = abs(here - true) <= mpf(10) ** -9 * (abs(here) + abs(true)) + mpf(10) ** -16
        return None if is_close else (here, true)

def check(task, answer, wanted=8, tries=400):
    """What is wrong with an answer, if anything, and the number of points where it was tested."""
    try:
        printed = [parse(it) for it in answer[:3]]
    except (NotAFunction, ValueError) as error:
        return f"cannot be read back: {error}", 0
    chance, points = random.Random(task.text), 0
    for attempt in range(tries):
        scale = (1, 4, 0.9, 20)[attempt % 4]
        point = {it: mpf(chance.uniform(-scale if attempt % 3 else 0, scale)) for it in letters(task.tree)}
        try:
            for k in range(3):
                # Most digits may cancel out in a long formula, so a difference must stay with 400 digits.
                if difference(task, printed[k], k, point, 40) and (both := difference(task, printed[k], k, point, 400)):
                    where = ", ".join(f"{letter} = {mpmath.nstr(it, 6)}" for letter, it in point.items())
                    return f"derivative {k} at {where}: {mpmath.nstr(both[0])}, not {mpmath.nstr(both[1])}", points
            points += 1
        except NoValue:
            continue
        if points == wanted:
            break
    return None, points

# --- Lengths -------------------------------------------------------------------------------------

def tokens(text):
    return len(re.findall(r"[^\W\d]\w*|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\*\*|[-+*/^!]", text))

def in_sympy(task):
    names = {"e": sympy.E, "ln": sympy.log, "log2": lambda x: sympy.log(x, 2), "log10": lambda x: sympy.log(x, 10)}
    names |= {it: sympy.Symbol(it, real=True) for it in letters(task.tree)}
    return sympy.sympify(task.text, locals=names, rational=True)

def best_of_sympy(task, seconds):
    """The shortest of six shapes of f', each made in a few seconds."""
    derivative = in_sympy(task).diff(sympy.Symbol(task.variable, real=True))
    texts = [str(derivative)]
    for shape in (sympy.simplify, sympy.factor, sympy.together, sympy.trigsimp, sympy.expand):
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            texts.append(str(shape(derivative)))
        except (KeyboardInterrupt, Exception):
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return min(texts, key=tokens)

# --- The report ----------------------------------------------------------------------------------

SOURCES = {"OpenStax Calculus 1": ("openstax", partial(openstax, 1)),
           "OpenStax Calculus 3": ("openstax", partial(openstax, 3)),
           "APEX Calculus": ("apex", apex), "nerdamer": ("nerdamer", nerdamer), "mathjs": ("mathjs", mathjs),
           "SymPy": ("sympy", sympy_tests), "Maxima": ("maxima", maxima)}

def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("binary")
    for name in dict.fromkeys(option for option, _ in SOURCES.values()):
        options.add_argument("--" + name)
    options.add_argument("--sample", type=int, default=10 ** 9, help="functions of a source that sympy looks at")
    options.add_argument("--seconds", type=float, default=2, help="for each shape of sympy")
    given = options.parse_args()
    mp.dps = 40
    signal.signal(signal.SIGALRM, signal.default_int_handler)  # sympy catches any `Exception`
    refusals, wrong, lengths = Counter(), [], []
    print("| source | tasks | refused | no real point | wrong | compared | tokens here | sympy's best |")
    print("|---|---|---|---|---|---|---|---|")
    for source, (option, read) in SOURCES.items():
        if not getattr(given, option):
            continue
        tasks = tasks_of(source, read(getattr(given, option)))
        answers = list(zip(tasks, ask(given.binary, tasks)))
        refusals.update(it.refusal for _, it in answers if it.refusal)
        answered = [(task, it, *check(task, it)) for task, it in answers if not it.refusal]
        mistakes = [it for it in answered if it[2]]
        untested = sum(not mistake and not points for _, _, mistake, points in answered)
        step = max(1, -(-len(answered) // given.sample))
        compared = [(task, it.first, best_of_sympy(task, given.seconds)) for task, it, *_ in answered[::step]]
        here, best = (sum(tokens(it[k]) for it in compared) for k in (1, 2))
        row = source, len(tasks), len(tasks) - len(answered), untested, len(mistakes), len(compared), here, best
        print("|", *(f"{it:,} |" if isinstance(it, int) else f"{it} |" for it in row), flush=True)
        wrong += mistakes
        lengths += compared
    print("\nRefused:", *(f"\n  {count} times: {message}" for message, count in refusals.most_common()))
    print("\nWrong:")
    for task, answer, mistake, _ in wrong:
        print(f"  {task.source}: F({task.variable}) = {task.text}\n    f   {answer.f}\n    f'  {answer.first}\n"
              f"    f'' {answer.second}\n    {mistake}")
    differences = [tokens(here) - tokens(best) for _, here, best in lengths]
    print(f"\nf' is shorter here {sum(it < 0 for it in differences)} times, as long {differences.count(0)} times, "
          f"longer {sum(it > 0 for it in differences)} times. The twenty worst:")
    for task, here, best in sorted(lengths, key=lambda it: tokens(it[2]) - tokens(it[1]))[:20]:
        print(f"  {tokens(here)} against {tokens(best)}, {task.source}: F({task.variable}) = {task.text}\n"
              f"    here  {here}\n    sympy {best}")

if __name__ == "__main__":
    main()
