package dev.medley.connect.salesforce.fake;

import org.jspecify.annotations.Nullable;

/** A field of an object, as describe shows it. */
public record FakeField(
        String name,
        String type,
        boolean nillable,
        boolean externalId,
        boolean unique,
        boolean calculated,
        @Nullable String compound) {
    public static FakeField of(String name, String type) {
        return new FakeField(name, type, true, false, false, false, null);
    }

    public static FakeField externalId(String name) {
        return new FakeField(name, "string", true, true, true, false, null);
    }

    /** One whose values may be in several records. */
    public static FakeField looseExternalId(String name) {
        return new FakeField(name, "string", true, true, false, false, null);
    }

    public static FakeField formula(String name, String type) {
        return new FakeField(name, type, true, false, false, true, null);
    }

    static FakeField required(String name, String type) {
        return new FakeField(name, type, false, false, false, false, null);
    }

    String label() {
        return name.replace("__c", "").replace('_', ' ');
    }

    boolean isNumber() {
        return type.equals("int")
                || type.equals("long")
                || type.equals("double")
                || type.equals("currency")
                || type.equals("percent");
    }
}
