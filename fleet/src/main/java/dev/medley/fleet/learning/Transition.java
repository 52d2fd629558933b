package dev.medley.fleet.learning;

import org.jspecify.annotations.Nullable;

/**
 * Holds what one action led to, over as many decisions as the return counts.
 *
 * @param reward discounted sum of the rewards on the way
 * @param discount of what follows
 * @param next state afterwards; null where nothing follows
 */
record Transition(
        double[] state, int action, double reward, double discount, double @Nullable [] next) {}
