package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.stream.Collectors;

/**
 * Reads what a user asks for. The API server does not check all that a pod may have; what cannot be
 * read is said of that one job, in place of ending the watch of all.
 */
final class SpecReading extends JsonDeserializer<MedleyJobSpec> {
    @Override
    public MedleyJobSpec deserialize(JsonParser parser, DeserializationContext context)
            throws IOException {
        JsonNode tree = context.readTree(parser);
        try {
            return context.readTreeAsValue(tree, MedleyJobSpec.class);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return MedleyJobSpec.unreadable(why(e));
        }
    }

    private static String why(Exception e) {
        if (!(e instanceof JsonMappingException mapping)) {
            return "spec cannot be read: " + e.getMessage();
        }
        String path =
                mapping.getPath().stream()
                        .map(r -> r.getFieldName() == null ? r.getIndex() + "" : r.getFieldName())
                        .collect(Collectors.joining("."));
        return "spec.%s cannot be read: %s; kubectl explain pod.spec says what stands there"
                .formatted(path, mapping.getOriginalMessage());
    }
}
