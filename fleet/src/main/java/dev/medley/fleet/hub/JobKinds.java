package dev.medley.fleet.hub;

import dev.medley.fleet.rates.JobKind;

/** Writes kinds of jobs as one word and reads them again. */
public final class JobKinds {
    private JobKinds() {}

    /**
     * The word of a kind.
     *
     * @param family the model's word
     * @param size what speed depends on within the family, such as samples of a step
     * @param name what else tells jobs apart, such as the job's name
     */
    public static String word(String family, double size, String name) {
        return family + "/" + size + "/" + name;
    }

    /** The kind of a word. */
    static JobKind parse(String word) {
        String[] parts = word.split("/", 3);
        if (parts.length < 3) {
            return new JobKind(word, word, 1);
        }
        try {
            return new JobKind(word, parts[0], Math.max(1e-9, Double.parseDouble(parts[1])));
        } catch (NumberFormatException e) {
            return new JobKind(word, parts[0], 1);
        }
    }
}
