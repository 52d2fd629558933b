package dev.medley.plan.forecast;

import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.base.text.Words;
import dev.medley.plan.codec.Coarseness;
import dev.medley.plan.strategy.StrategyModels;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A strategy that a job could take.
 *
 * @param strategy with its round and its codec; not open
 */
public record Candidate(StrategySpec strategy) {
    public Candidate {
        if (!isForeseen(strategy)) {
            throw new IllegalArgumentException(
                    "nothing foresees %s with %s".formatted(strategy.kind(), strategy.compress()));
        }
    }

    /** Whether there is a formula for a strategy. */
    public static boolean isForeseen(StrategySpec strategy) {
        return StrategyModels.isKnown(strategy.kind()) && Coarseness.isKnown(strategy.compress());
    }

    /**
     * What {@code auto} chooses among, with the transport, buckets and shares of {@code settings};
     * the plainest first. Codecs, changes that travel meanwhile and rounds between sites are among
     * them only where there is a border to cross.
     */
    public static List<Candidate> all(StrategySpec settings, int sites) {
        return StrategyModels.all().stream()
                .flatMap(model -> model.choices(settings, sites).stream())
                .map(Candidate::new)
                .toList();
    }

    /** What a plan shows: beside those some that only users take. */
    public static List<Candidate> shown(StrategySpec settings, int sites) {
        return Stream.concat(
                        all(settings, sites).stream(),
                        StrategyModels.all().stream()
                                .flatMap(model -> model.shown(settings, sites).stream())
                                .map(Candidate::new))
                .toList();
    }

    /** How changes travel while workers go on. */
    public StreamSpec stream() {
        return strategy.round().stream();
    }

    /** Steps of a batch between two exchanges. */
    public int syncEvery() {
        return strategy.round().syncEvery();
    }

    /** Whether workers go some steps by themselves. */
    public boolean hasRounds() {
        return strategy.algorithm().hasRounds();
    }

    /** Whether workers exchange one by one within a round: such a run does not repeat. */
    public boolean isByLetters() {
        return strategy.algorithm().isByLetters();
    }

    /** For people: "diloco every 64 steps, int8 between sites". */
    public String name() {
        String kind = Words.of(strategy.kind());
        String manner = StrategyModels.of(strategy).manner(strategy);
        if (isByLetters()) {
            return kind + manner + waiting();
        }
        String every = hasRounds() ? " every %d steps".formatted(syncEvery()) : "";
        String codec =
                strategy.compress() == Compress.NONE
                        ? ""
                        : ", %s between sites".formatted(Words.of(strategy.compress()));
        return kind + every + manner + outerStep() + travelling() + waiting() + codec;
    }

    private String outerStep() {
        RoundSpec round = strategy.round();
        RoundSpec usual = RoundSpec.defaults(strategy.kind());
        boolean isUsual =
                round.outerRate() == usual.outerRate()
                        && round.outerMomentum() == usual.outerMomentum();
        return isUsual
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", outer %s with momentum %s",
                        round.outerRate(),
                        round.outerMomentum());
    }

    private String travelling() {
        String parts =
                stream().fragments() == 1 ? "" : ", %d fragments".formatted(stream().fragments());
        return stream().overlap() == 0
                ? parts
                : parts + ", overlap %d".formatted(stream().overlap());
    }

    private String waiting() {
        QuorumSpec quorum = strategy.round().quorum();
        return quorum.isNone() ? "" : ", quorum " + quorum.text();
    }
}
