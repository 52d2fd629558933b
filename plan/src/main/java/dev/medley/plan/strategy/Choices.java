package dev.medley.plan.strategy;

import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.List;

/** Makes strategies to choose among from the settings of a job. */
final class Choices {
    private Choices() {}

    /** Codecs where there is a border to cross; else none. */
    static List<Compress> codecs(int sites, Compress... between) {
        return sites > 1 ? List.of(between) : List.of(Compress.NONE);
    }

    /** An algorithm with rounds of so many steps. */
    static StrategySpec every(StrategySpec settings, Kind kind, int steps, Compress codec) {
        return in(settings, kind, RoundSpec.defaults(kind).every(steps), codec);
    }

    /** An algorithm in these rounds, with the inner batch of the job where it names one. */
    static StrategySpec in(StrategySpec settings, Kind kind, RoundSpec round, Compress codec) {
        int inner = settings.round().innerBatch();
        RoundSpec its = inner > 0 ? round.inBatchesOf(inner) : round;
        return settings.as(kind.in(its), codec);
    }
}
