package dev.medley.spark.rows;

import dev.medley.base.Json;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.Serializable;

/** Carries an encoding to executors, as the JSON that models have it in. */
final class EncodedEncoding implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String json;

    EncodedEncoding(TableEncoding encoding) {
        json = Json.line(encoding);
    }

    TableEncoding get() {
        return (TableEncoding) Json.parse(json, Encoding.class);
    }
}
