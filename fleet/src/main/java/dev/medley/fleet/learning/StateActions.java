package dev.medley.fleet.learning;

import dev.medley.base.ConfigException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds which action was learnt to be best in a state: a network's values, or a table of boxes.
 *
 * @param network null where a table was learnt
 * @param table action by {@link TabularQ#box}; null where a network was learnt
 */
public record StateActions(@Nullable ActionValues network, @Nullable Map<Integer, Integer> table) {
    public StateActions {
        ConfigException.check(
                (network == null) != (table == null),
                "a learned policy has either a network or a table; train it anew");
        table = table == null ? null : Collections.unmodifiableMap(new TreeMap<>(table));
    }

    static StateActions of(ActionValues network) {
        return new StateActions(network, null);
    }

    static StateActions of(Map<Integer, Integer> table) {
        return new StateActions(null, table);
    }

    /** The best action in a state; -1 where nothing was learnt of it. */
    public int best(double[] state) {
        if (network != null) {
            return network.best(state);
        }
        return table == null ? -1 : table.getOrDefault(TabularQ.box(state), -1);
    }

    /** Whether it can choose among so many actions from so many features. */
    boolean fits(int actions, int features) {
        return network != null
                ? network.actions() == actions && network.features() == features
                : table != null && table.values().stream().allMatch(a -> 0 <= a && a < actions);
    }
}
