package dev.medley.control.event;

import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.net.control.Message;
import java.net.InetSocketAddress;

/** Something that happened to a coordinator. */
public sealed interface Event {
    /** Workers and agents can connect here; the first event of a run. */
    record Opened(InetSocketAddress at) implements Event {}

    /** A caller said something. */
    record Said(CallerId by, Message message) implements Event {}

    /** A caller's connection ended; {@code why} is what it said itself. */
    record HungUp(CallerId by, String why) implements Event {}

    /** A worker has been started, or its agent told to start it. */
    record Launched(int launch) implements Event {}

    /** A worker could not be started; {@code why} is a sentence for the user. */
    record NotLaunched(int launch, String why) implements Event {}

    /** A worker's process has ended. */
    record Exited(Exit exit) implements Event {}

    /** The user wants the end. */
    record Interrupted() implements Event {}

    /** Time has passed: deadlines are looked at. */
    record TimePassed() implements Event {}

    /** Who watches could not read what a caller said. */
    record Unreadable(CallerId by, Message message, String why) implements Event {}

    /** Who watches, or the coordinator itself, has thrown: the run cannot go on. */
    record Broken(String what) implements Event {}
}
