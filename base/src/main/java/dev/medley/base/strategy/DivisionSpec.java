package dev.medley.base.strategy;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import java.util.List;

/**
 * The division of a step's samples among the workers.
 *
 * @param shares relative shares of the workers; empty where {@code balance} decides
 * @param balance what the shares of a step follow where they are not given
 * @param stragglers what becomes of a worker that is late
 */
public record DivisionSpec(List<Double> shares, Balance balance, Stragglers stragglers) {
    /** As fits the machines; stragglers are waited for. */
    public static final DivisionSpec USUAL =
            new DivisionSpec(List.of(), Balance.AUTO, Stragglers.DEFAULTS);

    public DivisionSpec {
        shares = List.copyOf(shares);
        check(
                shares.stream().allMatch(s -> s >= 0)
                        && (shares.isEmpty() || shares.stream().anyMatch(s -> s > 0)),
                "strategy.shares=%s: none below 0, one above",
                shares);
        check(
                shares.isEmpty() || balance != Balance.SPEED,
                "strategy.balance=speed, but strategy.shares=%s are given: leave one of them out",
                shares);
    }
}
