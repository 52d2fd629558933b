package dev.medley.plan.strategy;

import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.base.text.Units;
import dev.medley.base.text.Words;
import java.util.Locale;

/** Says what workers do in rounds. */
final class Sentences {
    private Sentences() {}

    static String ofRounds(StrategySpec strategy, int innerBatch, int workers, String transport) {
        return say(
                "strategy: %s: each worker takes steps of %d samples by itself; after %d"
                        + " batches of all together they exchange their changes through %s%s%s;"
                        + " a step below is such a round",
                Words.of(strategy.kind()),
                innerBatch,
                strategy.round().syncEvery(),
                transport,
                streaming(strategy.round().stream()),
                waiting(strategy.round().quorum(), workers));
    }

    private static String streaming(StreamSpec stream) {
        return stream.isNone()
                ? ""
                : say(
                        ", in %d fragments one after another, each of which travels while all go on"
                                + " for %d batches",
                        stream.fragments(), stream.overlap());
    }

    private static String waiting(QuorumSpec quorum, int workers) {
        return quorum.isNone()
                ? ""
                : say(
                        ", and where %d of %d are done the others may go on for %s: what they have"
                                + " not done then, all do in the next round",
                        quorum.workers(workers),
                        workers,
                        quorum.graceNs() > 0 || quorum.graceShare() == 0
                                ? Units.duration((double) quorum.graceNs())
                                : say("%.0f %% of the time so far", 100 * quorum.graceShare()));
    }

    static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
