package dev.medley.plan.codec;

import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.plan.codec.CodecPolicy.Situation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the codec of each border of a group, as a pure function. {@link CodecPolicy} decides for
 * the border that takes longest. An exchange ends with that border, so all others have as long, and
 * take the finest codec that fits into it.
 *
 * <p>A codec that was chosen with the whole strategy applies to all borders. Each border has a
 * finer one when training needs it and its own links bear it ({@link CodecPolicy#keep}).
 *
 * @param codecs decides of one border
 * @param chosen codec of the strategy; null where it is left open
 */
record BorderPolicy(CodecPolicy codecs, @Nullable Compress chosen) {
    /** A border, its codec and what is known of it; of all borders at the same step. */
    record Crossing(Border border, Compress present, Situation now) {
        double plainNs() {
            return now.wholeNs() + now.restNs();
        }
    }

    /**
     * What to do.
     *
     * @param codecs of all borders, from now on, in the order in which they were given
     * @param why one sentence
     */
    record Decision(Map<Border, Compress> codecs, String why) {}

    /**
     * The codecs of the next steps.
     *
     * @param all borders, at least one
     */
    Decision decide(List<Crossing> all) {
        Crossing slowest = slowest(all);
        CodecPolicy.Decision first = of(slowest.present(), slowest.now());
        double roomNs = ns(first.codec(), slowest);
        Map<Border, Compress> decided = new LinkedHashMap<>();
        for (Crossing one : all) {
            Situation its = one.now().with(roomNs);
            decided.put(
                    one.border(), one == slowest ? first.codec() : of(one.present(), its).codec());
        }
        return new Decision(decided, first.why() + others(decided, slowest.border()));
    }

    private CodecPolicy.Decision of(Compress present, Situation now) {
        return chosen == null ? codecs.decide(present, now) : codecs.keep(chosen, present, now);
    }

    /** The one that takes longest with nothing coded; of equals the first by name. */
    private static Crossing slowest(List<Crossing> all) {
        return all.stream()
                .min(
                        Comparator.comparingDouble((Crossing one) -> -one.plainNs())
                                .thenComparing(one -> one.border().toString()))
                .orElseThrow();
    }

    private double ns(Compress codec, Crossing of) {
        return of.now().ns(codecs.ladder().get(codecs.place(codec)));
    }

    /** Of the borders that have another codec than the slowest. */
    private static String others(Map<Border, Compress> decided, Border slowest) {
        Map<Border, Compress> others = new HashMap<>(decided);
        others.values().removeIf(codec -> codec == decided.get(slowest));
        return others.isEmpty()
                ? ""
                : "; that is %s, meanwhile %s".formatted(slowest, Border.words(others));
    }
}
