//! Runs a recipe with CoDiPack, a header-only library for C++ (`codi.hpp`). `RealReverse` is its usual type, and with
//! these recipes the fastest of those that need no sizes beforehand. Each pass clears the tape and records anew, since
//! the tape stores slopes, which are those of one point.

#include <codi.hpp>

#include "recipe.hpp"

struct CoDiPack {
    using Real = codi::RealReverse;
    typename Real::Tape& tape = Real::getTape();

    void clear() {
        tape.reset();
        tape.setActive();
    }

    void make_leaf(Real& leaf, double value) {
        leaf = value;
        tape.registerInput(leaf);
    }

    void begin_recording() {}

    void backward(Real& root) {
        tape.registerOutput(root);
        tape.setPassive();
        root.setGradient(1.0);
        tape.evaluate();
    }

    double gradient(const Real& leaf) { return leaf.getGradient(); }
    double value(const Real& root) { return root.getValue(); }
};

int main() { return run<CoDiPack>(); }
