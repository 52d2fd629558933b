package dev.medley.api.run;

import dev.medley.base.Json;
import dev.medley.base.Version;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.time.Clock;
import dev.medley.plan.policy.BatchRoom;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.RememberingPlan;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MemoryCapCache;
import dev.medley.profile.speed.StepTimeCache;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what earlier runs learnt, and keeps what this run learns for the next. That is how long
 * steps take and where memory ran out, by type of machine and by what was trained, and how the job
 * learns ({@link Learning}). It is kept in {@code step-times} and {@code memory-caps} in the folder
 * of caches; see docs/balance.md.
 *
 * <p>Thread: the coordinating thread.
 */
final class EarlierRuns {
    private final @Nullable Caches caches; // Null to do without guesses.
    private final MachineProfile here;
    private final Signature signature;
    private final Clock clock;
    private final Learning learning;
    private final boolean isHere;
    private final String ofJob;
    private final String ofAnyBatch; // Memory asks how many go at once, not how that comes about.
    private final MemoryCaps caps = new MemoryCaps(this::capOf);

    private @Nullable RememberingPlan remembering;
    private String training = "";

    /** What is kept for the next run. */
    private record Caches(StepTimeCache times, MemoryCapCache room) {}

    /**
     * What a pass through the model and its update depend on beside the machine.
     *
     * @param batches how many samples go through the model at once, where that follows from more
     *     than a worker's share
     */
    record Training(
            String medley,
            ModelSpec model,
            List<Signature.Input> inputs,
            Signature.TargetKind target,
            int outputs,
            LossSpec loss,
            OptimizerSpec.Kind optimizer,
            Precision precision,
            String batches) {}

    /**
     * Earlier runs as these options say.
     *
     * @param job its strategy may be chosen later
     * @param here the coordinator's machine, on which workers run if none join
     * @param signature of the data
     * @param learning of the job
     */
    EarlierRuns(
            RunOptions options,
            JobSpec job,
            MachineProfile here,
            Signature signature,
            Learning learning,
            Clock clock) {
        this.learning = learning;
        this.caches =
                options.guesses() == RunOptions.Guesses.NONE
                        ? null
                        : new Caches(
                                new StepTimeCache(options.cache().resolve("step-times"), clock),
                                new MemoryCapCache(options.cache().resolve("memory-caps"), clock));
        this.here = here;
        this.signature = signature;
        this.clock = clock;
        this.isHere = job.cluster().join() == null;
        this.ofJob = suffix(job);
        this.ofAnyBatch = Json.line(training(job, "any"));
    }

    /** How the job learnt so far, and learns now. */
    Learning learning() {
        return learning;
    }

    /** The source, told of earlier runs; what it is told of this one is kept at the end. */
    PlanSource around(JobSpec job, PlanSource source) {
        Caches known = caches;
        if (known == null) {
            return source;
        }
        training = Json.line(training(job, batches(job)));
        RememberingPlan told =
                new RememberingPlan(
                        source,
                        machine ->
                                isKnown(machine)
                                        ? known.times().find(key(machine), training)
                                        : null);
        remembering = told;
        return told;
    }

    /**
     * Where memory ran out before, and where it does in this run: the same for all of its plans.
     */
    MemoryCaps caps() {
        return caps;
    }

    /** How large shares may be. A round's batches are as large for any share of it. */
    BatchRoom room(JobSpec job) {
        long hereBytes = here.memory().usableBytes() / Math.max(1, job.cluster().workers());
        return job.innerBatch() < job.roundSamples()
                ? BatchRoom.UNLIMITED
                : RunPlans.room(job, signature, isHere ? hereBytes : Long.MAX_VALUE);
    }

    private int capOf(String machine) {
        return caches == null || !isKnown(machine)
                ? MemoryCaps.NONE
                : caches.room().find(key(machine), ofAnyBatch).orElse(MemoryCaps.NONE);
    }

    /** Keeps what this run has learnt. */
    void keep() {
        learning.keep();
        if (caches != null) {
            keep(caches);
        }
    }

    private void keep(Caches kept) {
        ofKnown(caps.found())
                .forEach((machine, most) -> kept.room().keep(key(machine), ofAnyBatch, most));
        ofKnown(remembering == null ? Map.of() : remembering.learnt(clock.wallMillis()))
                .forEach((machine, guess) -> kept.times().keep(key(machine), training, guess));
    }

    private <T> Map<String, T> ofKnown(Map<String, T> byMachine) {
        Map<String, T> known = new TreeMap<>(byMachine);
        known.keySet().removeIf(machine -> !isKnown(machine));
        return known;
    }

    /** A machine that joins may say nothing of itself. */
    private boolean isKnown(String machine) {
        return isHere || !machine.isEmpty();
    }

    private String key(String machine) {
        return (isHere ? here.typeAndMemory() : machine) + ofJob;
    }

    /** The part of a machine that a worker has: its threads or all cores. */
    private static String suffix(JobSpec job) {
        int threads = job.cluster().threads();
        String cores = threads > 0 ? ", %d threads".formatted(threads) : ", all cores";
        int workers = job.cluster().join() == null ? job.cluster().workers() : 1;
        return workers == 1 ? cores : cores + ", %d workers on it".formatted(workers);
    }

    private Training training(JobSpec job, String batches) {
        return new Training(
                Version.number(),
                job.model(),
                signature.inputs(),
                signature.target().kind(),
                signature.target().outputs(),
                job.train().loss(),
                job.train().optimizer().kind(),
                job.train().precision(),
                batches);
    }

    /** A step is a share at once, or in parts, or a round of batches. */
    private static String batches(JobSpec job) {
        StrategySpec strategy = job.strategy();
        int steps = strategy.round().syncEvery();
        if (steps > 1) {
            return "rounds of %d batches of %d, %s"
                    .formatted(steps, job.innerBatch(), strategy.kind());
        }
        int parts = job.train().accumulate();
        return parts > 1 ? "%d samples in %d parts".formatted(job.train().batch(), parts) : "whole";
    }
}
