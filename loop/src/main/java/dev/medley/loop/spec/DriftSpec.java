package dev.medley.loop.spec;

import java.util.List;

/**
 * Says how changes of the data are noticed.
 *
 * @param alarms the share of loops without any change that may ever see an alarm
 * @param leftOut columns that are not watched
 */
public record DriftSpec(double alarms, List<String> leftOut) {
    public DriftSpec {
        leftOut = List.copyOf(leftOut);
    }
}
