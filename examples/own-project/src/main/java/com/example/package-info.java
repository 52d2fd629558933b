/** Trains an architecture of its own, as a project outside Medley's build. */
package com.example;
