package dev.medley.tenant;

import java.util.Map;

/**
 * Holds who asks, as a token proved it: a name and the attributes that policies may look at. What a
 * caller says of himself is never in here.
 *
 * @param name as the audit has it
 * @param attributes by name; texts, booleans, long whole numbers or lists of texts
 */
public record TenantCaller(String name, Map<String, Object> attributes) {
    /** Copies the attributes. */
    public TenantCaller {
        attributes = Map.copyOf(attributes);
    }
}
