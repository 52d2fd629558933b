package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.text.Words;
import java.util.Set;

/**
 * Majority vote of signs: every step all workers sum the signs of their gradients, and move by the
 * sign of the sum (signSGD: Bernstein et al., ICML 2018, arXiv 1802.04434).
 */
public record SignVoteSpec() implements Algorithm {
    static final String WORDS = "every step, the majority of the signs of all gradients";
    static final Set<StrategyKey> KEYS = Set.of();
    static final SignVoteSpec USUAL = new SignVoteSpec();

    @Override
    public Kind kind() {
        return Kind.SIGN_VOTE;
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
                "strategy.compress=%s with strategy=sign-vote: signs are counted, not coded; leave"
                        + " strategy.compress out",
                Words.of(traffic.compress()));
        traffic.requireNoStepCodec("sign-vote");
    }
}
