package dev.medley.fleet.hub;

import dev.medley.base.Json;
import dev.medley.fleet.state.FleetEntry;
import dev.medley.fleet.state.FleetJournal;
import java.util.ArrayList;
import java.util.List;

/** A journal whose lines outlive the hub that wrote them, and nothing else. */
final class MemoryJournal implements FleetJournal {
    private final List<String> lines = new ArrayList<>();

    @Override
    public List<FleetEntry> replay() {
        return lines.stream().map(line -> Json.parse(line, FleetEntry.class)).toList();
    }

    @Override
    public void append(FleetEntry entry) {
        lines.add(Json.line(entry));
    }

    @Override
    public void snapshot(List<FleetEntry> whole) {
        lines.clear();
        whole.forEach(this::append);
    }

    @Override
    public void close() {}
}
