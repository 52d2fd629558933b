package dev.medley.record.folder;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The trained model that a run began with. By it a run that is resumed reads its data as it did,
 * and begins with the same parameters again if it has no checkpoint.
 *
 * @param model absolute path of the model's folder
 * @param weightsSha256 of its weights
 * @param encoding of its data; opaque here
 */
public record BeginningRecord(String model, String weightsSha256, JsonNode encoding) {
    /** The record of a run; empty if it began with drawn parameters. */
    public static Optional<BeginningRecord> of(RunFolder folder) {
        if (!Files.exists(folder.beginning())) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(folder.beginning(), BeginningRecord.class));
        } catch (IOException e) {
            throw new ConfigException(
                    folder.beginning() + " cannot be read: " + RunFolder.reason(e), e);
        }
    }

    /**
     * Writes it for a run whose record has not begun yet: a run never lacks it. A folder that
     * cannot be written is a {@link ConfigException}, and nothing half-written stays.
     */
    public void write(RunFolder folder) {
        try {
            byte[] json = Json.pretty(this).getBytes(StandardCharsets.UTF_8);
            AtomicWrite.bytes(folder.beginning(), json);
        } catch (IOException e) {
            folder.discardUnstarted();
            throw UnusableRunFolder.unwritten(folder, e);
        }
    }
}
