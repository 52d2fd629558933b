package dev.medley.loop.decide;

import dev.medley.loop.spec.RetrainSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a new model is trained. */
public final class RetrainPolicy {
    /**
     * What is known about the model in production.
     *
     * @param ageMs since it was trained
     * @param newRows labelled rows that came since
     * @param unfit why the model cannot be used as it is, as its features have changed; empty where
     *     it can
     * @param drifted columns whose values have changed surely since
     * @param was the metric when it was trained; null where it was not measured
     * @param is the metric on the newest rows now; null where none are labelled
     * @param isMoreBetter whether more of the metric is better
     */
    public record Facts(
            long ageMs,
            long newRows,
            String unfit,
            List<String> drifted,
            @Nullable Double was,
            @Nullable Double is,
            boolean isMoreBetter) {
        public Facts {
            drifted = List.copyOf(drifted);
        }
    }

    /**
     * A decision.
     *
     * @param isDue whether a new model is trained
     * @param why a sentence with the figures
     */
    public record Decision(boolean isDue, String why) {}

    private static final int COLUMNS_NAMED = 5;

    private RetrainPolicy() {}

    /**
     * Whether one is due.
     *
     * @param facts null where there is no model yet
     */
    public static Decision decide(RetrainSpec spec, @Nullable Facts facts) {
        if (facts == null) {
            return new Decision(true, "there is no model yet");
        }
        if (!facts.unfit().isEmpty()) {
            return new Decision(true, facts.unfit());
        }
        if (facts.newRows() == 0 && spec.every() == null) {
            return new Decision(false, "no new labelled rows since the last training");
        }
        List<String> reasons = new ArrayList<>();
        List<String> against = new ArrayList<>();
        if (spec.every() != null) {
            String age =
                    "it is %s old, of %s"
                            .formatted(words(facts.ageMs()), words(spec.every().toMillis()));
            (facts.ageMs() >= spec.every().toMillis() ? reasons : against).add(age);
        }
        if (spec.rows() != null) {
            String rows = "%,d new labelled rows, of %,d".formatted(facts.newRows(), spec.rows());
            (facts.newRows() >= spec.rows() ? reasons : against).add(rows);
        }
        if (spec.onDrift()) {
            (facts.drifted().isEmpty() ? against : reasons).add(drift(facts.drifted()));
        }
        if (spec.loss() != null && facts.was() != null && facts.is() != null) {
            double lost = lost(facts);
            String loss =
                    "the metric is %.4f and was %.4f: %.1f %% worse, of %.1f %%"
                            .formatted(facts.is(), facts.was(), 100 * lost, 100 * spec.loss());
            (lost >= spec.loss() ? reasons : against).add(loss);
        }
        if (!reasons.isEmpty()) {
            return new Decision(true, String.join("; ", reasons));
        }
        String why =
                against.isEmpty() ? "nothing in retrain: asks for one" : String.join("; ", against);
        return new Decision(false, why);
    }

    private static double lost(Facts facts) {
        double was = facts.was() == null ? 0 : facts.was();
        double is = facts.is() == null ? 0 : facts.is();
        double worse = facts.isMoreBetter() ? was - is : is - was;
        return was == 0 ? 0 : worse / Math.abs(was);
    }

    private static String drift(List<String> columns) {
        if (columns.isEmpty()) {
            return "no column has surely changed";
        }
        String named =
                String.join(", ", columns.subList(0, Math.min(COLUMNS_NAMED, columns.size())));
        int more = columns.size() - COLUMNS_NAMED;
        return "changed: " + named + (more > 0 ? " and %d more".formatted(more) : "");
    }

    private static String words(long ms) {
        Duration duration = Duration.ofMillis(ms);
        if (duration.toDays() > 1) {
            return duration.toDays() + " days";
        }
        return duration.toHours() > 1 ? duration.toHours() + " h" : duration.toMinutes() + " min";
    }
}
