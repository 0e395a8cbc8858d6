"""What the director does, one package a task: event, sheets, scans, rulings, publication, results."""
