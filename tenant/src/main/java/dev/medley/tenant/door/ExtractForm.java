package dev.medley.tenant.door;

import dev.medley.tenant.read.ExtractFormat;
import org.jspecify.annotations.Nullable;

/** Names the forms in which each table is offered. */
enum ExtractForm {
    CSV(ExtractFormat.CSV, "text/csv; charset=utf-8"),
    PARQUET(ExtractFormat.PARQUET, "application/vnd.apache.parquet");

    private final ExtractFormat format;
    private final String ending;
    private final String mediaType;

    ExtractForm(ExtractFormat format, String mediaType) {
        this.format = format;
        this.ending = format.ending();
        this.mediaType = mediaType;
    }

    ExtractFormat format() {
        return format;
    }

    String mediaType() {
        return mediaType;
    }

    /** The object's name of a table in this form. */
    String key(String table) {
        return table + ending;
    }

    /** The form of an object; null if its name ends in none. */
    static @Nullable ExtractForm of(String key) {
        for (ExtractForm form : values()) {
            if (key.endsWith(form.ending) && key.length() > form.ending.length()) {
                return form;
            }
        }
        return null;
    }

    /** The table in an object's name. */
    String table(String key) {
        return key.substring(0, key.length() - ending.length());
    }
}
