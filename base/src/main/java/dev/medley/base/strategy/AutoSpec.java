package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
import java.util.Set;

/** One of the other algorithms, chosen when the workers and the paths between them are known. */
public record AutoSpec() implements Algorithm {
    /** For job files and their reference. */
    static final String WORDS =
            "one of the first four, with its steps and its codec, chosen when the"
                    + " workers are ready (docs/planning.md)";

    static final Set<StrategyKey> KEYS = Set.of();
    static final AutoSpec USUAL = new AutoSpec();

    @Override
    public Kind kind() {
        return Kind.AUTO;
    }

    @Override
    public RoundSpec round() {
        return RoundSpec.EVERY_STEP;
    }

    @Override
    public boolean hasRounds() {
        return false;
    }

    @Override
    public void requireFits(TrafficSpec traffic) {
        check(
                traffic.compress() == Compress.NONE,
                "strategy.compress=%s: auto chooses it; leave it out, or name a strategy",
                Words.of(traffic.compress()));
        traffic.requireNoStepCodec("auto");
        check(
                traffic.codec().borders().isEmpty(),
                "strategy.borders with strategy=auto, which chooses the codecs: leave"
                        + " strategy.borders out, or name a strategy");
    }
}
