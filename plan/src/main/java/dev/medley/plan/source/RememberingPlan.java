package dev.medley.plan.source;

import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.MachineKind;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeGuess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells another plan source what earlier runs learnt of machines of a worker's type, and keeps what
 * this run learns of them for the next.
 *
 * <p>Thread: the coordinator's agent.
 */
public final class RememberingPlan extends PlanAround {
    /** Fewer say nothing that a trial does not say. */
    private static final int LEAST_STEPS = 15;

    private final Earlier earlier;
    private final Speeds speeds = new Speeds();
    private final Map<WorkerId, Seen> byWorker = new HashMap<>();

    /** What earlier runs have kept. */
    @FunctionalInterface
    public interface Earlier {
        /** Of machines of this type; null for nothing. */
        @Nullable StepTimeGuess of(String machine);
    }

    /** What a worker runs on, what was known of that, and what it has computed since. */
    private record Seen(
            String machine, @Nullable StepTimeGuess guess, int least, int largest, long steps) {
        Seen with(int share, long more) {
            return new Seen(
                    machine, guess, Math.min(least, share), Math.max(largest, share), steps + more);
        }
    }

    /** Nobody has come yet. */
    public RememberingPlan(PlanSource source, Earlier earlier) {
        super(source);
        this.earlier = earlier;
    }

    @Override
    public TrialScope comes(WorkerId worker, MachineKind machine) {
        StepTimeGuess guess = earlier.of(machine.type());
        byWorker.put(worker, new Seen(machine.type(), guess, Integer.MAX_VALUE, 0, 0));
        TrialScope scope = source.comes(worker, machine);
        if (guess == null) {
            return scope;
        }
        guessed(worker, guess);
        return guess.hasShape() ? scope.level() : scope;
    }

    @Override
    public void guessed(WorkerId worker, StepTimeGuess guess) {
        speeds.guessed(worker, guess);
        source.guessed(worker, guess);
    }

    /** What was seen so far is of two types of machine, and kept of neither. */
    @Override
    public @Nullable String resized(WorkerId worker, MachineKind machine, double faster) {
        speeds.resized(worker, faster);
        byWorker.put(worker, new Seen(machine.type(), null, Integer.MAX_VALUE, 0, 0));
        return source.resized(worker, machine, faster);
    }

    @Override
    public void joins(WorkerId worker, List<Measured> tried) {
        speeds.joins(worker, tried);
        tried.forEach(share -> saw(worker, share.share(), 0));
        source.joins(worker, tried);
    }

    @Override
    public void stepped(long step, Map<WorkerId, Measured> measured) {
        speeds.stepped(measured);
        measured.forEach((worker, of) -> saw(worker, of.share(), 1));
        source.stepped(step, measured);
    }

    private void saw(WorkerId worker, int share, long steps) {
        if (share > 0) {
            byWorker.computeIfPresent(worker, (same, seen) -> seen.with(share, steps));
        }
    }

    /**
     * What this run has learnt of each type of machine; of several machines the mean.
     *
     * @param nowMillis wall time, from which on it grows old
     */
    public Map<String, StepTimeGuess> learnt(long nowMillis) {
        Map<String, StepTimeGuess> learnt = new TreeMap<>();
        byWorker.forEach(
                (worker, seen) -> {
                    if (seen.steps() >= LEAST_STEPS && speeds.isMeasured(worker)) {
                        StepTime line = speeds.fit(worker).line();
                        learnt.merge(
                                seen.machine(), learnt(line, seen, nowMillis), StepTimeGuess::and);
                    }
                });
        return learnt;
    }

    /** Where shares have not differed the shape is still that of before, and as old. */
    private static StepTimeGuess learnt(StepTime line, Seen seen, long nowMillis) {
        StepTimeGuess own =
                new StepTimeGuess(line, seen.least(), seen.largest(), seen.steps(), nowMillis);
        StepTimeGuess guess = seen.guess();
        return own.hasShape() || guess == null || !guess.hasShape()
                ? own
                : new StepTimeGuess(
                        line,
                        guess.leastShare(),
                        guess.largestShare(),
                        seen.steps(),
                        guess.wallMillis());
    }
}
