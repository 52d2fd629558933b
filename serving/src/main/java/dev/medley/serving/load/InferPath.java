package dev.medley.serving.load;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells requests that compute from others, by method and path.
 *
 * @param model that the path names; null over gRPC, where the message does
 */
public record InferPath(@Nullable String model) {
    /** Where the calls of gRPC are. */
    public static final String GRPC = "/inference.GRPCInferenceService/";

    private static final InferPath OF_GRPC = new InferPath(null);
    private static final Pattern REST =
            Pattern.compile(
                    "/v2/models/([^/]+)(?:/versions/[^/]+)?/(?:infer|explain|generate|generate_stream)"
                        + "|/v1/models/([^/:]+):(?:predict|rows|explain)");
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> CHANGING =
            Set.of(GRPC + "RepositoryModelLoad", GRPC + "RepositoryModelUnload");

    /** What a request computes; null where it does not. */
    public static @Nullable InferPath of(String method, String path) {
        if (!method.equals("POST")) {
            return null;
        }
        if (path.equals(GRPC + "ModelInfer")) {
            return OF_GRPC;
        }
        Matcher rest = REST.matcher(path);
        if (!rest.matches()) {
            return null;
        }
        return new InferPath(rest.group(1) == null ? rest.group(2) : rest.group(1));
    }

    /** Whether a request changes nothing, so that it may be asked twice. */
    public static boolean isRead(String method, String path) {
        if (READING.contains(method) || of(method, path) != null) {
            return true;
        }
        boolean isCall = path.startsWith(GRPC) && !CHANGING.contains(path);
        return method.equals("POST") && (isCall || path.equals("/v2/repository/index"));
    }
}
