package dev.medley.plan.strategy;

import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Finds the model of an algorithm. */
public final class StrategyModels {
    private static final Map<Kind, StrategyModel> ALL =
            new EnumMap<>(
                    Map.of(
                            Kind.DATA_PARALLEL, new DataParallelModel(),
                            Kind.LOCAL_SGD, new LocalSgdModel(),
                            Kind.DILOCO, new DiLoCoModel(),
                            Kind.HYBRID, new HybridModel(),
                            Kind.PARAMETER_SERVER, new ServerModel(),
                            Kind.GOSSIP, new GossipModel()));

    private StrategyModels() {}

    /** The algorithms that have one: all but the choice among them. */
    public static List<Kind> kinds() {
        return List.copyOf(ALL.keySet());
    }

    /** Whether there is one. */
    public static boolean isKnown(Kind kind) {
        return ALL.containsKey(kind);
    }

    /** The model of a strategy that is not open. */
    public static StrategyModel of(StrategySpec strategy) {
        StrategyModel model = ALL.get(strategy.kind());
        if (model == null) {
            throw new IllegalArgumentException(strategy.kind() + " is one of the others");
        }
        return model;
    }

    /** The model of the algorithm that workers hold while theirs is open. */
    public static StrategyModel ofHeld(StrategySpec strategy) {
        return of(strategy.whileOpen());
    }

    /** All of them, in the order in which they are named. */
    public static List<StrategyModel> all() {
        return List.copyOf(ALL.values());
    }
}
