package dev.medley.tenant.door;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a request is about: a bucket, an object in it, and parameters, decoded once.
 *
 * @param path as it came, without escapes; begins with a slash
 */
record AskedTarget(String path, List<UriText.Parameter> query) {
    private static final int MOST_BYTES = 4096;

    /** The target in a request's first line. */
    static AskedTarget of(String target) {
        if (target.length() > MOST_BYTES || !target.startsWith("/")) {
            throw DoorFailure.badRequest("the address is too long, or no path");
        }
        int question = target.indexOf('?');
        return new AskedTarget(
                UriText.path(question < 0 ? target : target.substring(0, question)),
                UriText.query(question < 0 ? "" : target.substring(question + 1)));
    }

    /** The first part of the path; empty for the root. */
    String bucket() {
        int slash = path.indexOf('/', 1);
        return slash < 0 ? path.substring(1) : path.substring(1, slash);
    }

    /** All behind the bucket's slash; empty where there is none. */
    String key() {
        int slash = path.indexOf('/', 1);
        return slash < 0 ? "" : path.substring(slash + 1);
    }

    /** The value of a parameter; null where it is not given. */
    @Nullable String parameter(String name) {
        return query.stream()
                .filter(each -> each.name().equals(name))
                .map(UriText.Parameter::value)
                .findFirst()
                .orElse(null);
    }

    boolean has(String name) {
        return parameter(name) != null;
    }
}
