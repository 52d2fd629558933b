package dev.medley.connect.salesforce.call;

import dev.medley.base.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Describes one call.
 *
 * @param path below {@code /services/data/vXX.0}, or from {@code /services} on
 * @param repeat whether it may be made again when its outcome is unknown
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record OrgCall(String method, String path, byte[] body, String contentType, Repeat repeat) {
    private static final byte[] NOTHING = {};
    private static final String JSON = "application/json; charset=UTF-8";

    /** Whether the same call twice does what one does. */
    public enum Repeat {
        SAFE,
        UNSAFE
    }

    /** One that reads. */
    public static OrgCall get(String path) {
        return new OrgCall("GET", path, NOTHING, JSON, Repeat.SAFE);
    }

    /** One that removes. */
    public static OrgCall delete(String path) {
        return new OrgCall("DELETE", path, NOTHING, JSON, Repeat.SAFE);
    }

    /** One that leaves nothing of weight behind when it is made twice. */
    public static OrgCall send(String method, String path, Object json) {
        return new OrgCall(method, path, Json.bytes(json), JSON, Repeat.SAFE);
    }

    /** One that must not be made twice. */
    public static OrgCall sendOnce(String method, String path, byte[] body, String contentType) {
        return new OrgCall(method, path, body, contentType, Repeat.UNSAFE);
    }

    /** A text as a part of an address. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** For messages. */
    String words() {
        int query = path.indexOf('?');
        return method + " " + (query < 0 ? path : path.substring(0, query));
    }
}
