package dev.medley.kubernetes.run;

import static dev.medley.base.ConfigException.check;

/** Names a MedleyJob: its namespace and its name there. */
public record JobAddress(String namespace, String name) {
    /** Of NAMESPACE/NAME. */
    public static JobAddress parse(String text) {
        String[] parts = text.split("/", -1);
        check(
                parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty(),
                "%s: NAMESPACE/NAME of a MedleyJob is needed",
                text);
        return new JobAddress(parts[0], parts[1]);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
