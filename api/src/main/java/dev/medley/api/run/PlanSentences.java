package dev.medley.api.run;

import dev.medley.base.Plan;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.StrategySpec.Transport;
import dev.medley.store.dataset.PreparedData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan in words: what, then why. */
final class PlanSentences {
    private PlanSentences() {}

    static List<String> of(
            JobSpec job, PreparedData data, Plan plan, JobPlan figures, double crowding) {
        List<String> words = new ArrayList<>();
        words.add(
                say(
                        "data: %,d training and %,d validation samples (%s)",
                        figures.trainSamples(),
                        figures.validationSamples(),
                        data.format().name().toLowerCase(Locale.ROOT)));
        words.add(
                say(
                        "model: %s with %,d parameters; with gradients and optimizer state %.1f MiB"
                                + " in each worker, and what a batch needs on top",
                        job.model().family(),
                        figures.parameters(),
                        figures.stateBytes() / (double) (1 << 20)));
        words.add(
                say(
                        "workers: %d of %d thread%s each on this machine's %d cores; %s",
                        plan.shares().size(),
                        job.cluster().threads(),
                        job.cluster().threads() == 1 ? "" : "s",
                        Runtime.getRuntime().availableProcessors(),
                        plan.why()));
        words.add(strategy(job, plan));
        words.add(
                say(
                        "length: %s%,d steps an epoch",
                        figures.steps() == Long.MAX_VALUE
                                ? "until the time is up, "
                                : say("%,d steps, ", figures.steps()),
                        figures.stepsPerEpoch()));
        words.add(
                say(
                        "speed: a share of %d took %.1f ms here alone (median of 5 steps); with"
                            + " %.1f ms for the exchange (at an assumed speed)%s that makes about"
                            + " %,.0f samples/s",
                        plan.shares().stream().mapToInt(Integer::intValue).max().orElse(0),
                        figures.computeNs() / 1e6,
                        figures.exchangeNs() / 1e6,
                        crowding > 1 ? say(" and %.1f threads on each core", crowding) : "",
                        figures.samplesPerSecond()));
        return words;
    }

    private static String strategy(JobSpec job, Plan plan) {
        if (plan.shares().size() == 1) {
            return "strategy: one worker exchanges with nobody";
        }
        String transport =
                job.strategy().transport() == Transport.TCP
                        ? "a ring over TCP, as strategy.transport asks"
                        : "shared memory, since all workers are processes of one machine";
        return say(
                "strategy: every step all workers sum their gradients through %s, in buckets of"
                        + " %.1f MiB that leave while backward still runs",
                transport, job.strategy().bucketBytes() / (double) (1 << 20));
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
