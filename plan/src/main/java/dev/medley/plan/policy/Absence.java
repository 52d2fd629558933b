package dev.medley.plan.policy;

import java.util.Locale;

/**
 * The absence of a worker that sits out, or did, with how fast it is meanwhile. It tries its last
 * share by itself every {@value #EVERY} steps, and is well when {@value #ENOUGH} trials in a row
 * took about as long as it usually takes. The first time it comes back as soon as it is well. A
 * worker that was well by itself and late among the others again stays away for {@value
 * #LEAST_STEPS} steps at least, and twice as long each time from then on. A worker cannot try its
 * link by itself: an absence for a slow link is counted as if there had been one before.
 *
 * <p>Thread: an immutable value.
 *
 * @param count of its absences with this one
 * @param until the first step after which it may come back
 * @param share that it tries
 * @param usualNs what that takes where it is well
 * @param triedStep when it was asked to try last
 * @param isAsked whether an answer is awaited
 * @param well trials in a row
 * @param lastNs what the last trial took
 */
public record Absence(
        int count,
        long until,
        int share,
        double usualNs,
        long triedStep,
        boolean isAsked,
        int well,
        double lastNs) {
    private static final long EVERY = 10;
    private static final int ENOUGH = 2;
    private static final long LEAST_STEPS = 50;
    private static final int MOST_DOUBLINGS = 10;

    /** A trial leaves out the update, and the machine of a straggler scatters. */
    private static final double LEAST_TOLERANCE = 1.25;

    /** The {@code count}th begins after {@code step}. */
    public static Absence begin(int count, long step, int share, double usualNs) {
        return new Absence(count, step + leastSteps(count), share, usualNs, step, false, 0, 0);
    }

    private static long leastSteps(int count) {
        return count == 1 ? 0 : LEAST_STEPS << Math.min(count - 2, MOST_DOUBLINGS);
    }

    /** How long, in words. */
    public String howLong() {
        return count == 1
                ? "until it is well"
                : "for %d steps at least, until it is well".formatted(leastSteps(count));
    }

    /** Whether it should try now. */
    public boolean isDue(long step) {
        return !isAsked && !isWell() && step >= triedStep + EVERY && step + ENOUGH * EVERY >= until;
    }

    /** It is asked to try. */
    public Absence asked(long step) {
        return new Absence(count, until, share, usualNs, step, true, well, lastNs);
    }

    /**
     * It has tried.
     *
     * @param bound times the usual at which it would be late; half of it is well
     */
    public Absence tried(double ns, double bound) {
        boolean wasWell = ns <= Math.max(LEAST_TOLERANCE, bound / 2) * usualNs;
        return new Absence(
                count, until, share, usualNs, triedStep, false, wasWell ? well + 1 : 0, ns);
    }

    private boolean isWell() {
        return well >= ENOUGH;
    }

    /** Whether it may come back. */
    public boolean isOver(long step) {
        return isWell() && step >= until;
    }

    /** Why it comes back. */
    public String why(String name) {
        return String.format(
                Locale.ROOT,
                "%s takes %.1f times as long as usual when it tries by itself, and is asked back",
                name,
                lastNs / usualNs);
    }
}
