package dev.medley.profile.machine;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.profile.machine.Figure.Certainty;
import dev.medley.profile.machine.MachineProfile.Gpu;
import dev.medley.profile.machine.MachineProfile.KernelSpeed;
import dev.medley.profile.machine.MachineProfile.Memory;
import dev.medley.profile.machine.MachineProfile.Processor;
import dev.medley.profile.machine.MachineProfile.SharedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Writes a machine's profile as rows for people: what, how much, how sure. */
public final class MachineTable {
    private MachineTable() {}

    /**
     * One row.
     *
     * @param name of the thing
     * @param value with its unit
     * @param certainty how sure it is
     * @param sureness the same in words
     * @param how it was found
     */
    public record Row(
            String name, String value, Certainty certainty, String sureness, String how) {}

    /** All rows, in the order in which people ask. */
    public static List<Row> rows(MachineProfile machine) {
        List<Row> rows = new ArrayList<>();
        processor(rows, machine.processor());
        memory(rows, machine.memory());
        for (KernelSpeed kernel : machine.compute()) {
            rows.add(
                    figure(
                            "compute " + kernel.name(),
                            kernel.flopsPerSecond(),
                            value -> Units.scaled(value) + "FLOP/s"));
        }
        rows.add(
                reported(
                        "disk",
                        machine.disk().folder()
                                + " ("
                                + machine.disk().fileSystem()
                                + "), "
                                + Units.bytes((double) machine.disk().freeBytes())
                                + " free"));
        rows.add(figure("disk write", machine.disk().writeBytesPerSecond(), Units::bytesPerSecond));
        rows.add(figure("disk read", machine.disk().readBytesPerSecond(), Units::bytesPerSecond));
        rows.add(reported("shared memory", spoken(machine.sharedMemory())));
        gpus(rows, machine.gpus());
        rows.add(
                reported(
                        "system",
                        machine.platform().system()
                                + ", kernel "
                                + machine.platform().kernel()
                                + ", "
                                + machine.platform().architecture()));
        rows.add(reported("JVM", machine.platform().jvm()));
        rows.add(
                new Row(
                        "virtualisation",
                        machine.platform().virtualisation(),
                        Certainty.ESTIMATED,
                        "estimated",
                        "from signs that the system shows"));
        return rows;
    }

    /** The table in plain text, with the notes below it. */
    public static String text(MachineProfile machine) {
        TextTable table =
                new TextTable()
                        .column(machine.host(), Align.LEFT)
                        .column("", Align.LEFT)
                        .column("how sure", Align.LEFT)
                        .column("how", Align.LEFT);
        for (Row row : rows(machine)) {
            table.row(List.of(row.name(), row.value(), row.sureness(), row.how()));
        }
        StringBuilder text = new StringBuilder(table.text());
        machine.notes().forEach(note -> text.append('\n').append(note));
        return text.append(machine.notes().isEmpty() ? "" : "\n")
                .append('\n')
                .append(machine.measured())
                .append('\n')
                .toString();
    }

    private static void processor(List<Row> rows, Processor processor) {
        rows.add(reported("processor", processor.model()));
        String physical =
                processor.physicalCores() == 0
                        ? ""
                        : ", " + processor.physicalCores() + " physical";
        rows.add(
                reported(
                        "cores",
                        String.format(
                                Locale.ROOT,
                                "%s usable of %d%s",
                                cores(processor.usableCores()),
                                processor.logicalCores(),
                                physical)));
        rows.add(
                reported(
                        "core limit",
                        processor.quotaCores() == null
                                ? "none by cgroup"
                                : cores(processor.quotaCores()) + " cores by cgroup"));
        rows.add(
                reported(
                        "instructions",
                        processor.instructions().isEmpty()
                                ? "unknown"
                                : String.join(" ", processor.instructions())));
        rows.add(
                reported(
                        "bf16",
                        processor.multipliesBf16()
                                ? "multiplied by the processor"
                                : "emulated: no instructions for it"));
    }

    private static void memory(List<Row> rows, Memory memory) {
        rows.add(
                reported(
                        "memory",
                        Units.bytes((double) memory.totalBytes())
                                + ", "
                                + Units.bytes((double) memory.availableBytes())
                                + " available"));
        rows.add(
                reported(
                        "memory limit",
                        memory.limitBytes() == null
                                ? "none by cgroup"
                                : Units.bytes((double) memory.limitBytes()) + " by cgroup"));
        rows.add(
                figure(
                        "memory bandwidth",
                        memory.bandwidthBytesPerSecond(),
                        Units::bytesPerSecond));
    }

    private static void gpus(List<Row> rows, List<Gpu> gpus) {
        if (gpus.isEmpty()) {
            rows.add(reported("GPUs", "none found"));
        }
        for (Gpu gpu : gpus) {
            String memory =
                    gpu.memoryBytes() == 0 ? "" : ", " + Units.bytes((double) gpu.memoryBytes());
            String driver = gpu.driver().isBlank() ? "" : ", driver " + gpu.driver();
            rows.add(
                    new Row(
                            "GPU",
                            gpu.name() + memory + driver,
                            Certainty.REPORTED,
                            "reported",
                            "by " + gpu.source()));
        }
    }

    private static String spoken(@org.jspecify.annotations.Nullable SharedMemory shared) {
        return shared == null
                ? "none"
                : shared.folder()
                        + ", "
                        + Units.bytes((double) shared.freeBytes())
                        + " free of "
                        + Units.bytes((double) shared.totalBytes());
    }

    private static String cores(double cores) {
        return cores == Math.rint(cores)
                ? Long.toString((long) cores)
                : String.format(Locale.ROOT, "%.2f", cores);
    }

    private static Row reported(String name, String value) {
        return new Row(name, value, Certainty.REPORTED, "reported", "by the system");
    }

    private static Row figure(String name, Figure figure, DoubleFunction<String> unit) {
        return new Row(
                name,
                figure.exists() ? unit.apply(figure.value()) : "–",
                figure.certainty(),
                figure.sureness(),
                figure.how());
    }
}
