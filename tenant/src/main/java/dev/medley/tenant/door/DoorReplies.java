package dev.medley.tenant.door;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Makes responses as S3's clients expect them, which nobody on the way may keep. */
final class DoorReplies {
    private static final String XML = "application/xml";
    private static final String JSON = "application/json";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private DoorReplies() {}

    private static ResponseHeadersBuilder headers(int status, String mediaType) {
        return ResponseHeaders.builder(HttpStatus.valueOf(status))
                .set(HttpHeaderNames.CONTENT_TYPE, mediaType)
                .set(HttpHeaderNames.CACHE_CONTROL, "private, no-store");
    }

    static HttpResponse xml(String text) {
        return whole(headers(200, XML), text.getBytes(StandardCharsets.UTF_8));
    }

    static HttpResponse json(byte[] body) {
        return whole(headers(200, JSON), body);
    }

    /** Nothing but that it is there. */
    static HttpResponse empty() {
        return HttpResponse.of(headers(200, XML).build());
    }

    /** In XML; for a query in JSON; for HEAD without a body. */
    static HttpResponse failure(DoorFailure failure, HttpMethod method, String path, String id) {
        boolean isQuery = path.equals(DoorWork.QUERY_PATH);
        ResponseHeadersBuilder headers =
                headers(failure.status(), isQuery ? JSON : XML).set("x-amz-request-id", id);
        if (failure.waitS() > 0) {
            headers.set(HttpHeaderNames.RETRY_AFTER, "" + failure.waitS());
        }
        if (method == HttpMethod.HEAD) {
            return HttpResponse.of(headers.build());
        }
        return whole(
                headers,
                isQuery
                        ? dev.medley.base.Json.bytes(java.util.Map.of("error", failure.said()))
                        : DoorXml.error(failure, path, id).getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse whole(ResponseHeadersBuilder headers, byte[] body) {
        return HttpResponse.of(
                headers.setLong(HttpHeaderNames.CONTENT_LENGTH, body.length).build(),
                HttpData.wrap(body));
    }

    /** The head of an object, or of a stretch of it. */
    static ResponseHeaders ofObject(DoorExtract extract, ExtractForm form, ByteRange range) {
        ResponseHeadersBuilder headers =
                headers(range.isPart() ? 206 : 200, form.mediaType())
                        .set(HttpHeaderNames.ETAG, extract.tag())
                        .set(HttpHeaderNames.ACCEPT_RANGES, "bytes")
                        .set(
                                HttpHeaderNames.LAST_MODIFIED,
                                TIME.format(Instant.ofEpochMilli(extract.madeMs())))
                        .setLong(HttpHeaderNames.CONTENT_LENGTH, range.bytes());
        if (range.isPart()) {
            headers.set(
                    HttpHeaderNames.CONTENT_RANGE,
                    "bytes %d-%d/%d"
                            .formatted(
                                    range.from(),
                                    range.from() + range.bytes() - 1,
                                    extract.bytes()));
        }
        return headers.build();
    }

    static HttpResponse notModified(DoorExtract extract) {
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.NOT_MODIFIED)
                        .set(HttpHeaderNames.ETAG, extract.tag())
                        .build());
    }
}
