package dev.medley.serving.page;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.Json;
import dev.medley.serving.host.ModelHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Serves the page on which models are tried by hand, and the interface in OpenAPI. */
public final class ServingPages {
    /** A browser loads the page's own files and asks its own server, and nothing else. */
    private static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> FILES = files();

    private ServingPages() {}

    private static Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("/", "try.html");
        files.put("/page/try.css", "try.css");
        files.put("/page/try.js", "try.js");
        files.put("/page/ask.js", "ask.js");
        return files;
    }

    /** Paths that say nothing of models: they may be read without a token. */
    public static Set<String> open() {
        return FILES.keySet();
    }

    /** Adds the page and the document to a server. */
    public static void addTo(ServerBuilder builder, ModelHost host) {
        FILES.forEach(
                (path, file) -> {
                    byte[] bytes = own(file);
                    MediaType type = type(file);
                    route(builder, path, () -> response(type, bytes));
                });
        route(
                builder,
                "/openapi.json",
                () -> response(MediaType.JSON, Json.bytes(InterfaceDocument.of(host))));
    }

    private interface Made {
        HttpResponse response();
    }

    private static void route(ServerBuilder builder, String path, Made made) {
        builder.route()
                .path(path)
                .methods(HttpMethod.GET, HttpMethod.HEAD)
                .build((ctx, request) -> made.response());
    }

    private static MediaType type(String file) {
        if (file.endsWith(".html")) {
            return MediaType.HTML_UTF_8;
        }
        return file.endsWith(".css") ? MediaType.CSS_UTF_8 : MediaType.JAVASCRIPT_UTF_8;
    }

    private static HttpResponse response(MediaType type, byte[] bytes) {
        return HttpResponse.of(
                ResponseHeaders.builder(HttpStatus.OK)
                        .contentType(type)
                        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_POLICY)
                        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
                        .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
                        .set(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                        .build(),
                HttpData.wrap(bytes));
    }

    private static byte[] own(String name) {
        try (InputStream stream = ServingPages.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
