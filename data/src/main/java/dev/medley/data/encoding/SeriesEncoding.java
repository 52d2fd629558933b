package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of windows over time: FLOAT32 {@code past} [look-back, targets] is what a model
 * sees, and it is asked for the numbers [horizon, targets] after that, all of them scaled.
 *
 * @param time column of times
 * @param cadence how far apart rows are
 * @param by columns that tell series apart
 * @param targets columns that are seen and predicted
 * @param lookBack rows that a model sees
 * @param horizon rows that it is asked for
 * @param scales of the targets; of each series where it has its own
 * @param test time from which on training saw nothing; null where it saw all
 * @param until time from which on rows are left out; null for none
 */
public record SeriesEncoding(
        String time,
        Cadence cadence,
        List<String> by,
        List<String> targets,
        int lookBack,
        int horizon,
        List<Scales> scales,
        @Nullable Double test,
        @Nullable Double until)
        implements Encoding {
    /**
     * How the targets of a series are scaled.
     *
     * @param series its values of the columns that tell series apart; empty for all series
     * @param targets by target
     */
    public record Scales(List<String> series, List<Scaling> targets) {
        public Scales {
            series = List.copyOf(series);
            targets = List.copyOf(targets);
        }
    }

    public SeriesEncoding {
        by = List.copyOf(by);
        targets = List.copyOf(targets);
        scales = List.copyOf(scales);
    }

    @Override
    public Signature signature() {
        Signature.Input past =
                new Signature.Input(
                        "past", ElementType.FLOAT32, List.of(lookBack, channels()), List.of());
        return new Signature(
                List.of(past),
                new Signature.Target(TargetKind.VALUES, horizon * channels(), targets));
    }

    @Override
    public String reads() {
        return "series over time";
    }

    /** Numbers of one row. */
    public int channels() {
        return targets.size();
    }
}
