package dev.medley.hub.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.service.HubService;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The document of the interface: it has all that is there, and leads nowhere else. */
@Tag("unit")
class OpenApiTest {
    private final List<Endpoint> routes =
            Endpoints.of(new MemoryHub(), new PageCodes(Clock.system()));
    private final JsonNode document = Json.tree(OpenApi.of(routes));

    @Test
    void shouldHaveEveryRouteAndNoOther() {
        Set<String> documented = new HashSet<>();
        document.get("paths")
                .forEachEntry(
                        (path, methods) ->
                                methods.propertyNames()
                                        .forEach(method -> documented.add(method + " " + path)));
        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(
                        routes.stream()
                                .map(
                                        each ->
                                                each.method().name().toLowerCase(Locale.ROOT)
                                                        + " "
                                                        + each.path())
                                .toList());
    }

    @Test
    void shouldHaveEveryMethodOfTheService() {
        assertThat(routes.stream().map(each -> each.words().name()))
                .containsAll(
                        Arrays.stream(HubService.class.getMethods()).map(Method::getName).toList());
    }

    @Test
    void shouldHaveWhatOpenApiAsksFor() {
        assertThat(document.get("openapi").asString()).isEqualTo("3.1.0");
        assertThat(document.at("/info/title").asString()).isNotEmpty();
        assertThat(document.at("/info/version").asString()).isNotEmpty();
        List<String> names = new ArrayList<>();
        document.get("paths")
                .forEachEntry(
                        (path, methods) ->
                                methods.forEachEntry(
                                        (method, operation) -> {
                                            names.add(operation.get("operationId").asString());
                                            assertOperation(path, operation);
                                        }));
        assertThat(names).doesNotHaveDuplicates();
    }

    private static void assertOperation(String path, JsonNode operation) {
        List<String> places = new ArrayList<>();
        for (JsonNode parameter : operation.get("parameters")) {
            if (parameter.get("in").asString().equals("path")) {
                assertThat(parameter.get("required").asBoolean()).isTrue();
                places.add("{" + parameter.get("name").asString() + "}");
            }
        }
        assertThat(Arrays.stream(path.split("/")).filter(part -> part.startsWith("{")))
                .as(path)
                .containsExactlyElementsOf(places);
        assertThat(operation.get("summary").asString()).endsWith(".");
        assertThat(operation.at("/responses/200/description").asString()).isNotEmpty();
        assertThat(operation.at("/responses/default/content/application~1json/schema").size())
                .isEqualTo(1);
    }

    @Test
    void shouldLeadToWhatIsThere() {
        assertReferences(document);
        JsonNode body = document.at("/components/schemas/SubmitBody");
        assertThat(body.has("required")).as("all may be left out").isFalse();
        JsonNode deadline =
                document.at("/components/schemas/SubmitTerms/properties/deadlineEpochS");
        assertThat(deadline.get("type").toString()).isEqualTo("[\"number\",\"null\"]");
        JsonNode phase = document.at("/components/schemas/JobStatus/properties/phase/enum");
        assertThat(phase.toString()).contains("QUEUED", "CANCELLED");
    }

    private void assertReferences(JsonNode tree) {
        if (tree.has("$ref")) {
            String place = tree.get("$ref").asString();
            assertThat(document.at(place.substring(1)).isMissingNode()).as(place).isFalse();
        }
        tree.forEach(this::assertReferences);
    }
}
