package dev.medley.serving.protocol;

import static dev.medley.serving.ServingFailure.check;

import dev.medley.serving.ServingFailure;
import java.util.Collection;

/** Refuses what Triton's loads may bring along: a model's settings and files are its folder's. */
public final class LoadSettings {
    private LoadSettings() {}

    /**
     * Refuses a load that would change the model.
     *
     * @param names names of the load's parameters; those that change nothing pass
     * @throws ServingFailure if one brings settings or files
     */
    public static void refuse(Collection<String> names) {
        for (String name : names) {
            check(
                    !name.equals("config") && !name.startsWith("file:"),
                    "a load takes no '%s' here: a model's settings and files are those of its"
                            + " folder, or of its version in the registry",
                    name.length() > 60 ? name.substring(0, 60) : name);
        }
    }
}
