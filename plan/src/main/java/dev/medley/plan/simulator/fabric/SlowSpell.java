package dev.medley.plan.simulator.fabric;

import static dev.medley.base.ConfigException.check;

/**
 * A time in which a machine's connection is slow in both directions: a neighbour's traffic, a limit
 * of its provider.
 *
 * @param machine name of its kind; the first of several that are called so
 * @param fromNs virtual time since the beginning of training
 * @param forNs how long
 * @param times how many times as long a byte takes, above 1
 */
public record SlowSpell(String machine, double fromNs, double forNs, double times) {
    public SlowSpell {
        check(fromNs >= 0, "machine %s: slow from %s ns: not below 0", machine, fromNs);
        check(forNs > 0, "machine %s: slow for %s ns: above 0", machine, forNs);
        check(times > 1, "machine %s: slow by %s times: above 1", machine, times);
    }

    /** When it is over. */
    public double untilNs() {
        return fromNs + forNs;
    }

    /** How many times as long a byte takes at a moment: 1 before and after. */
    double timesAt(double nowNs) {
        return nowNs >= fromNs && nowNs < untilNs() ? times : 1;
    }
}
