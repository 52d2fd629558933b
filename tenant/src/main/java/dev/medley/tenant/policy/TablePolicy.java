package dev.medley.tenant.policy;

import java.util.List;

/**
 * Holds what is said of one shared table.
 *
 * @param name by which callers know it
 * @param source all columns that it had when this was read
 * @param visible names of those that anyone sees
 */
public record TablePolicy(
        String name,
        TablePlace place,
        List<SourceColumn> source,
        List<String> visible,
        SeenRows rows,
        List<MaskRule> masks) {
    /** Copies the lists. */
    public TablePolicy {
        source = List.copyOf(source);
        visible = List.copyOf(visible);
        masks = List.copyOf(masks);
    }
}
