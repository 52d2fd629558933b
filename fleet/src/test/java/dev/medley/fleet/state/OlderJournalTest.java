package dev.medley.fleet.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.fleet.state.FleetEntry.OfJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Journals that a hub of an older build wrote. */
@Tag("unit")
class OlderJournalTest {
    @Test
    void shouldReadAJobWithoutWhatWasNotKeptThen() {
        JobRequest request = new JobRequest("j", "mlp/1.0/j", "", "/", JobOwner.of("ann"), 1, 1);
        FleetEntry entry = new OfJob(FleetJob.submitted(1, request, 0));
        String now = Json.line(entry);
        String older = now.replace(",\"breaks\":0", "");
        assertThat(older).isNotEqualTo(now);
        assertThat(Json.parse(older, FleetEntry.class)).isEqualTo(entry);
    }
}
