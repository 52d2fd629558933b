package dev.medley.store.encoding;

import dev.medley.base.job.Signature;
import java.util.List;

/**
 * The column to predict.
 *
 * @param column its name in the files
 * @param classes its values in index order; empty when a number is predicted
 */
public record LabelEncoding(String column, List<String> classes) {
    public LabelEncoding {
        classes = List.copyOf(classes);
    }

    /** What a model is asked for. */
    public Signature.Target target() {
        return classes.isEmpty() ? Targets.ofValue() : Targets.ofClasses(classes);
    }
}
