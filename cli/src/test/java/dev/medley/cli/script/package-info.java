/**
 * Tests of the scripts that start Medley: the one of an installation, and the one at the
 * repository's root that builds first. Java and Maven are stand-ins, so that every answer of theirs
 * can be tried.
 */
package dev.medley.cli.script;
