package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

/**
 * The quorum of a round, its grace for stragglers, and the weight of late work. Quorum and grace
 * are those of Decoupled DiLoCo (arXiv 2604.21428), the weight is the age gate of CGAD (arXiv
 * 2605.09126).
 *
 * @param quorum workers that have to be done before the others are late: below 1 a part of the
 *     group, else their number; 0 where all are waited for
 * @param graceNs how long the others may continue then
 * @param graceShare the same as a part of the time that the quorum took, where {@code graceNs} is 0
 * @param lateDecay how fast a change that missed its round loses weight, for each round of its age
 * @param lateRounds age, in rounds, up to which such a change counts; 0 where it is dropped
 */
public record QuorumSpec(
        double quorum, long graceNs, double graceShare, double lateDecay, int lateRounds) {
    /** All are waited for. */
    public static final QuorumSpec NONE = new QuorumSpec(0, 0, 0.1, 0.25, 4);

    public QuorumSpec {
        check(
                quorum >= 0 && (quorum < 1 || quorum == Math.rint(quorum)),
                "strategy.quorum=%s: a number of workers, such as 3, or a part of the group below"
                        + " 1, such as 0.75",
                quorum);
        check(graceNs >= 0, "strategy.grace=%d ns: 0 or more", graceNs);
        check(graceShare >= 0, "strategy.grace=%s of the round: 0 or more", graceShare);
        check(lateDecay >= 0, "strategy.late_decay=%s: 0 or more", lateDecay);
        check(lateRounds >= 0, "strategy.late_rounds=%d: 0 rounds or more", lateRounds);
    }

    /** The usual grace, a tenth of what the quorum took, after so many workers or such a part. */
    public static QuorumSpec of(double quorum) {
        return NONE.ofWorkers(quorum);
    }

    /** The same with so many workers, or such a part of them. */
    public QuorumSpec ofWorkers(double wanted) {
        return new QuorumSpec(wanted, graceNs, graceShare, lateDecay, lateRounds);
    }

    /** The same with another grace. */
    public QuorumSpec waiting(long ns) {
        return new QuorumSpec(quorum, ns, 0, lateDecay, lateRounds);
    }

    /** The same with another gate for changes that come late. */
    public QuorumSpec gating(double decay, int rounds) {
        return new QuorumSpec(quorum, graceNs, graceShare, decay, rounds);
    }

    /** Whether anybody can be late. */
    public boolean isNone() {
        return quorum == 0;
    }

    /** The quorum as people write it: "3" or "0.75". */
    public String text() {
        return quorum == Math.rint(quorum) ? String.valueOf((long) quorum) : String.valueOf(quorum);
    }

    /** Workers of a group of {@code size} that have to be done. */
    public int workers(int size) {
        if (isNone()) {
            return size;
        }
        long wanted = (long) (quorum < 1 ? Math.ceil(quorum * size) : quorum);
        return (int) Math.max(1, Math.min(size, wanted));
    }

    /** How long the others may go on after a quorum that took {@code tookNs}. */
    public long graceNs(long tookNs) {
        return graceNs > 0 ? graceNs : (long) (graceShare * Math.max(0, tookNs));
    }

    /**
     * What a change is multiplied with that is {@code age} rounds old, A for {@code lateRounds}:
     *
     * <pre>
     *     g(age) = exp(-decay age) (1 + cos(pi age / (A + 1))) / 2,  0 beyond A
     * </pre>
     */
    public double lateFactor(int age) {
        if (isTooOld(age)) {
            return 0;
        }
        return Math.exp(-lateDecay * age) * (1 + Math.cos(Math.PI * age / (lateRounds + 1))) / 2;
    }

    /** Whether a change of this age is dropped. */
    public boolean isTooOld(int age) {
        return age > lateRounds;
    }
}
