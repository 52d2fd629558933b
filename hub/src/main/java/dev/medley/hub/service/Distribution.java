package dev.medley.hub.service;

import dev.medley.base.ConfigException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Counts how often a quantity fell below each of some bounds.
 *
 * @param bounds upper bounds, rising; values above the last are counted, too
 * @param counts one more than there are bounds: of values up to each bound and above the one
 *     before, and at last of those above all
 * @param sum of all values
 */
public record Distribution(List<Double> bounds, List<Long> counts, double sum) {
    public Distribution {
        bounds = List.copyOf(bounds);
        counts = List.copyOf(counts);
        ConfigException.check(
                counts.size() == bounds.size() + 1,
                "%d bounds have %d counts; give one more than there are bounds",
                bounds.size(),
                counts.size());
        for (int i = 1; i < bounds.size(); i++) {
            ConfigException.check(
                    bounds.get(i - 1) < bounds.get(i), "bounds %s do not rise; sort them", bounds);
        }
    }

    /** Nothing counted yet. */
    public static Distribution upTo(List<Double> bounds) {
        return new Distribution(bounds, Collections.nCopies(bounds.size() + 1, 0L), 0);
    }

    /** With one value more. */
    public Distribution with(double value) {
        int place = 0;
        while (place < bounds.size() && value > bounds.get(place)) {
            place++;
        }
        List<Long> more = new ArrayList<>(counts);
        more.set(place, more.get(place) + 1);
        return new Distribution(bounds, more, sum + value);
    }

    /** How many values there were. */
    public long count() {
        return counts.stream().mapToLong(each -> each).sum();
    }
}
