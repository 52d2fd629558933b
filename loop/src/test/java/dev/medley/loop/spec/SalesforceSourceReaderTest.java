package dev.medley.loop.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.salesforce.event.ChangeEventOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file may say of change events of a Salesforce. */
@Tag("unit")
class SalesforceSourceReaderTest {
    @TempDir Path folder;

    private @Nullable ChangeEventOptions read(String more) throws IOException {
        Files.writeString(folder.resolve("job.yaml"), "name: j\ndata: {train: x, label: y}\n");
        Path file =
                Files.writeString(
                        folder.resolve("a.yaml"),
                        """
                        name: a
                        sources:
                          leads:
                            salesforce: https://login.salesforce.com
                            client_id: c
                            user: u
                            key_file: k.pem
                            object: Lead
                            %s
                        rows: {sql: "SELECT 1", key: id, at: t}
                        job: job.yaml
                        """
                                .formatted(more));
        SourceSpec.Place place = LoopFile.read(file).sources().get(0).place();
        return ((SourceSpec.OfSalesforce) place).table().events();
    }

    @Test
    void shouldReadWhetherAndFromWhereEventsAreRead() throws IOException {
        assertThat(read("")).isNull();
        assertThat(read("events: false")).isNull();
        assertThat(read("events: true")).isEqualTo(ChangeEventOptions.USUAL);
        String europe = "https://api.deu.pubsub.salesforce.com:7443";
        assertThat(read("events: \"%s/\"".formatted(europe)))
                .isEqualTo(ChangeEventOptions.at(europe));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "event: true | a.yaml:9:5: unknown key sources.leads.event | did you mean events",
                "events: 3 | a.yaml:9:13: sources.leads.events | true, or an address such as",
                "events: http://example.com | a.yaml | 'http://example.com' is no address of the"
                        + " Pub/Sub API"
            })
    void shouldNameWhatIsWrong(String more, String where, String said) {
        assertThatThrownBy(() -> read(more))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(where)
                .hasMessageContaining(said);
    }
}
