//! Runs a recipe with CoDiPack, a header-only library for C++ (`codi.hpp`). Each pass clears the tape and records anew,
//! since a tape of `RealReverse` stores slopes, which are those of one point.

#include <codi.hpp>

#include "recipe.hpp"

#ifndef REAL
#define REAL RealReverse
#endif

struct CoDiPack {
    using Real = codi::REAL;
    typename Real::Tape& tape = Real::getTape();

    void begin() {
        tape.reset();
        tape.setActive();
    }

    void make_leaf(Real& leaf, double value) {
        leaf = value;
        tape.registerInput(leaf);
    }

    void start() {}

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
