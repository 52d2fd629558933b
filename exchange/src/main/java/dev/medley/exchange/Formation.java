package dev.medley.exchange;

import dev.medley.base.Fault;
import dev.medley.base.MeasuredRoute;
import dev.medley.exchange.route.LinkSurvey;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt to form a collective. */
public sealed interface Formation {
    /**
     * All members are joined.
     *
     * @param survey of the paths between their machines; null where all are on one
     * @param route what their sums follow of it, or of what they were told to repeat
     */
    record Formed(Collective collective, @Nullable LinkSurvey survey, MeasuredRoute route)
            implements Formation {}

    /** Not all members could be joined; what had been opened is closed again. */
    record Failed(Fault fault) implements Formation {}
}
