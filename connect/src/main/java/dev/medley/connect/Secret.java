package dev.medley.connect;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Names where a password or token is: in a variable of the environment or in a file. It is read
 * when it is needed and written nowhere.
 *
 * @param place {@code env:NAME} or {@code file:PATH}
 */
public record Secret(String place) {
    private static final String VARIABLE = "env:";
    private static final String FILE = "file:";
    private static final int MOST_BYTES = 1 << 20;

    public Secret {
        ConfigException.check(
                (place.startsWith(VARIABLE) && place.length() > VARIABLE.length())
                        || (place.startsWith(FILE) && place.length() > FILE.length()),
                "a secret is named by where it is: env:NAME or file:PATH; found a text of %d"
                        + " characters that is neither",
                place.length());
    }

    /**
     * The secret itself; of a file without line ends at its end.
     *
     * @param environment a variable's value, null if it is not set
     */
    public String read(UnaryOperator<@Nullable String> environment) {
        if (place.startsWith(VARIABLE)) {
            String name = place.substring(VARIABLE.length());
            String value = environment.apply(name);
            if (value == null || value.isEmpty()) {
                throw new ConfigException(
                        "the environment variable %s is not set, and a secret is to be in it: set it"
                                .formatted(name));
            }
            return value;
        }
        Path file = Path.of(place.substring(FILE.length()));
        ConfigException.check(
                Files.exists(file),
                "%s: is not there, and a secret is to be in it: write it",
                file);
        try {
            String text = new String(NamedFile.bytes(file, MOST_BYTES), StandardCharsets.UTF_8);
            return text.replaceAll("[\\r\\n]+\\z", "");
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return place;
    }
}
