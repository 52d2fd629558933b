package dev.medley.fleet.rates;

import dev.medley.base.ConfigException;

/**
 * Names what makes jobs alike for their speed: jobs of one kind run at the same rates.
 *
 * @param family the model's word, such as {@code cnn}
 * @param size above 0, what its speed depends on within the family: numbers of a step, or its batch
 */
public record JobKind(String name, String family, double size) {
    public JobKind {
        ConfigException.check(
                size > 0 && size < Double.POSITIVE_INFINITY,
                "job kind %s has size %s; give a number above 0",
                name,
                size);
    }
}
